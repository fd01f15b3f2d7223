"""Prefixes that vendors give their API keys, so that leaked ones can be found."""

# ruff: noqa: E501  # a table: one entry a line reads best

from __future__ import annotations

KEY_SHAPES: tuple[str, ...] = (
    r"sk-(?:proj|svcacct|admin|ant|or|live|test)-[0-9A-Za-z_-]{20,250}",  # OpenAI, Anthropic, OpenRouter
    r"sk-[0-9A-Za-z]{32,64}",  # OpenAI, DeepSeek and others
    r"(?:AKIA|ASIA)[0-9A-Z]{16}",  # AWS access key id
    r"gh[pousr]_[0-9A-Za-z]{30,255}",  # GitHub
    r"github_pat_[0-9A-Za-z_]{40,255}",
    r"glpat-[0-9A-Za-z_-]{20,60}",  # GitLab
    r"xox[abeprs]-[0-9A-Za-z-]{10,250}",  # Slack
    r"xapp-\d-[0-9A-Za-z-]{20,250}",
    r"AIza[0-9A-Za-z_-]{35}",  # Google
    r"ya29\.[0-9A-Za-z_-]{30,400}",
    r"GOCSPX-[0-9A-Za-z_-]{28}",
    r"hf_[0-9A-Za-z]{30,60}",  # Hugging Face
    r"npm_[0-9A-Za-z]{36}",
    r"pypi-[0-9A-Za-z_-]{50,300}",
    r"dckr_pat_[0-9A-Za-z_-]{20,60}",
    r"SG\.[0-9A-Za-z_-]{16,32}\.[0-9A-Za-z_-]{32,64}",  # SendGrid
    r"(?:sk|rk)_(?:live|test)_[0-9A-Za-z]{20,120}",  # Stripe
    r"whsec_[0-9A-Za-z+/=]{24,64}",
    r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",  # Shopify
    r"dop_v1_[0-9a-f]{64}",  # DigitalOcean
    r"gsk_[0-9A-Za-z]{40,60}",  # Groq
    r"xai-[0-9A-Za-z]{60,100}",
    r"r8_[0-9A-Za-z]{30,45}",  # Replicate
    r"pplx-[0-9A-Za-z]{40,60}",
    r"tvly-[0-9A-Za-z-]{28,60}",
    r"lin_api_[0-9A-Za-z]{36,48}",
    r"figd_[0-9A-Za-z_-]{36,60}",
    r"ATATT3[0-9A-Za-z_=-]{60,250}",  # Atlassian
    r"hv[sb]\.[0-9A-Za-z_-]{24,200}",  # Vault
    r"tskey-(?:auth|api)-[0-9A-Za-z-]{16,80}",
    r"AGE-SECRET-KEY-1[0-9A-Z]{58}",
    r"key-[0-9a-f]{32}",  # Mailgun
    r"\d{8,10}:AA[0-9A-Za-z_-]{33}",  # Telegram bot
    r"eyJ[0-9A-Za-z_-]{10,2000}\.eyJ[0-9A-Za-z_-]{10,4000}\.[0-9A-Za-z_-]{10,1000}",  # JSON web token
)

KEY_NAMES = (
    r"(?:api|app|access|auth|secret|private|client|encryption|signing|service|account|master|bot|deploy|webhook)"
    r"[_\- .]?(?:api[_\- ]?)?(?:key|token|secret)(?:[_\- ](?:id|key|value))?|apikey|token|secret|bearer|密钥|令牌|秘钥"
)
