"""Words that tell nothing by themselves: a phrase made only of them is a slip of the tagger."""

from __future__ import annotations

import re

# Pronouns that stand for a thing that is owned ("mine") can answer a question, so they are left out.
_FUNCTION_WORDS = frozenset(
    """
    a an the and or but nor so yet if of in on at to for from by with about as into onto over under after
    before since until than then that this these those which who whom whose what when where why how i me my
    you your he him his she her it its we us our they them their be am is are was were been being do does did
    have has had having will would shall should can could may might must up out all any some each very just
    also only too there here and/or i'm i'll i'd i've it's that's
    """.split()
)
_ALSO_NAMES = frozenset("will may an so do".split())
"""Of these, what with a capital is a name as well; "My" or "The" only begins a sentence."""
_VAGUE_WORDS = frozenset(
    """
    always never usually often sometimes suddenly recently currently now soon already still again ever later
    lately actually really simply kindly please well even much more most less lot lots many few enough too
    quite perhaps maybe probably together instead anyway finally able unable going go goes went gone get
    gets got getting give gives gave given giving take takes took taken taking make makes made making doing
    done put puts keep keeps kept let lets want wants wanted like hope hoping think thinks thinking thought
    know knows knew known say says said saying tell tells told telling ask asks asked asking use uses used
    using try tries tried trying find finds found see sees saw seen look looks looking start starts started
    starting begin begins began help helps helped helping show shows showed send sends sent sending call
    calls called set bring brings brought happen happens happened change changes changed continue plan plans
    add added pass passes passed thing things way ways kind sort part parts point points case cases example
    examples list lists idea ideas question questions answer answers text texts message messages word words
    sentence sentences details information contact benefit benefits company book reply free current new good
    best better great right other others another something anything everything someone anyone everyone one
    ones same different such own first second next last following below above certain possible available
    sure time times today letter email mail note form page line number name names hello hi dear thanks thank
    regards sincerely every both several rather almost away back down off while because though although
    however therefore thus
    """.split()
)
"""Words that say something only beside others. One or two of them are a slip ("always", "give me"); three and
more can be a statement ("got so much to do")."""
_FEW = 2
_VAGUE_HAN = frozenset(
    """
    我 你 您 他 她 它 咱 我们 你们 他们 她们 咱们 自己 大家 人家 的 了 着 过 吗 呢 吧 啊 呀 嘛 啦
    哦 最 很 太 都 也 还 就 才 再 又 只 更 挺 真 能 会 可以 要 想 想要 有 都有 是 在 去 来 找
    找个 换 换个 给 帮 说 看 做 弄 觉得 感觉 知道 需要 希望 打算 推荐 一直 已经 现在 刚 刚刚 正在 可能
    应该 其实 特别 比较 非常 东西 地方 时候 事情 问题
    """.split()
)
_LINKS = frozenset(
    "a an the and or but in on at to for from by with about as of my your our his her their".split()
)
_TAG = re.compile(r"</?[A-Za-z][\w:-]{0,30} ?/?>")
_WORD = re.compile(r"[^\W_]+(?:['’/][^\W_]+)*")


def tells_something(phrase: str) -> bool:
    """Whether `phrase` holds more than function words, bare markup ("</s>", "<br>") and a word or two that
    say something only beside others ("always", "都有").

    Those that are names too count with a capital ("Will"), and all in capitals they are abbreviations ("IT").
    """
    bare = _TAG.sub(" ", phrase)
    words = _WORD.findall(bare)
    if not words:
        return not bare.isascii()
    if len(words) <= _FEW and all(word in _VAGUE_WORDS or not _tells(word) for word in words):
        return False
    return any(_tells(word) for word in words) and bare.strip() not in _VAGUE_HAN


def without_link(phrase: str) -> str:
    """`phrase` without the words at its end that only lead to what follows: "nurse in" before "Leeds"."""
    while True:
        before, _, last = phrase.rpartition(" ")
        if not before.strip() or last.isupper() or last.lower() not in _LINKS:
            return phrase
        phrase = before.rstrip()


def _tells(word: str) -> bool:
    plain = word.lower().replace("’", "'")
    if plain not in _FUNCTION_WORDS:
        return True
    return (word.isupper() and len(word) > 1 and "'" not in plain) or (
        plain in _ALSO_NAMES and word[0].isupper()
    )
