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
    always usually often sometimes suddenly recently currently now soon already still again ever later
    lately actually really simply kindly please even much more most lot lots many few too quite perhaps
    maybe probably instead anyway finally able unable going go goes went get gets got getting give gives
    gave given giving take takes took taken taking make makes made making doing keep keeps kept want wants
    wanted think thinks thinking thought know knows knew known say says said saying tell tells told telling
    ask asks asked asking use uses used try tries tried trying find finds found see sees saw seen look looks
    looking begin begins began show shows showed send sends sent sending set bring brings brought happen
    happens happened continue plan plans add added thing things way ways kind sort point points case cases
    example examples list lists idea ideas question questions answer answers text texts message messages
    word words sentence sentences details information contact book reply free current good best great right
    other others another something anything everything same different such own first next last following
    below above certain possible available sure today letter email mail note form page line number name
    names hello hi dear thanks thank regards sincerely every both several rather almost off while because
    though although however therefore thus
    """.split()
)
"""Words that say something only beside others. One or two of them are a slip ("always", "give me"); three and
more can be a statement ("got so much to do"). Common words that nobody marked alone in the training data, of
which those went that tell something in a pair ("part time", "gave up", "let go", "name change")."""
_PARTICLES = frozenset("up out off over on in away back down through".split())
"""A verb with one of these at its end can mean anything ("gave up", "asked out")."""
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
_NAMES_TOO = frozenset("page case best".split())
"""Of the vague words, what with a capital is a name as well."""
_SYMBOL = re.compile(r"[\u2190-\u2bff\U0001f000-\U0001faff]")
"""Emoji and arrows: "my 🤰" tells something."""
_TAG = re.compile(r"</?[A-Za-z][\w:-]{0,30} ?/?>")
_WORD = re.compile(r"[^\W_]+(?:['’/][^\W_]+)*")


def tells_something(phrase: str) -> bool:
    """Whether `phrase` holds more than function words, bare markup ("</s>", "<br>") and a word or two that
    say something only beside others ("always", "都有").

    Those that are names too count with a capital ("Will", "Page"), and all in capitals function words are
    abbreviations ("IT").
    """
    bare = _TAG.sub(" ", phrase)
    words = _WORD.findall(bare)
    if not words:
        return not bare.isascii()
    if len(words) <= _FEW and all(_is_vague(word) for word in words):
        verb_and_particle = len(words) == _FEW and words[-1].lower() in _PARTICLES and _tells(words[0])
        return verb_and_particle or _SYMBOL.search(bare) is not None
    return any(_tells(word) for word in words) and bare.strip() not in _VAGUE_HAN


def _is_vague(word: str) -> bool:
    if not _tells(word):
        return True
    return word.lower() in _VAGUE_WORDS and (word.islower() or word.lower() not in _NAMES_TOO)


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
