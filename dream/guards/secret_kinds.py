"""What credentials look like: one line for each kind, by the prefix that its issuer gives it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.github_token import GitHubTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.private_key import PrivateKeyDetector
from detect_secrets.plugins.pypi_token import PypiTokenDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.stripe import StripeDetector
from detect_secrets.plugins.twilio import TwilioKeyDetector

LEAST_WORD = 12
_OF_SEVERAL_WORDS = frozenset({"private-key", "authorization-header", "aws-key"})
_PLAIN_PREFIX = re.compile(r"[A-Za-z0-9_ -]{1,40}(?![A-Za-z0-9_ -]|[?*+{|])")


@dataclass(frozen=True, slots=True)
class SecretKind:
    """A kind of credential: its name, its pattern, and a literal (lower case) without which it cannot be there.

    One that is a `word` is LEAST_WORD characters or more without a blank between them.
    """

    name: str
    pattern: re.Pattern[str]
    literal: str = ""

    @property
    def is_word(self) -> bool:
        """Whether no blank can be inside of it."""
        return self.name not in _OF_SEVERAL_WORDS


def _literal(pattern: str, known: str) -> str:
    """Return the plain text that `pattern` begins with, in lower case, or `known` if that is longer."""
    prefix = _PLAIN_PREFIX.match(pattern)
    return max(known, prefix[0].lower() if prefix else "", key=len)


def _kind(name: str, literal: str, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> SecretKind:
    return SecretKind(name, re.compile(pattern, flags), literal)


_OWN = (
    _kind("anthropic-key", "sk-ant-", r"sk-ant-[a-z]{2,12}[0-9]{2}-[A-Za-z0-9_-]{20,200}"),
    _kind("openai-key", "sk-", r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,250}"),
    _kind("openrouter-key", "sk-or-", r"sk-or-v[0-9]-[0-9a-f]{32,64}"),
    _kind("model-key", "sk-", r"sk-(?=[A-Za-z]{0,60}[0-9])[A-Za-z0-9]{20,64}(?![A-Za-z0-9-])"),
    _kind("google-api-key", "aiza", r"AIza[0-9A-Za-z_-]{35}"),
    _kind("google-client-secret", "gocspx-", r"GOCSPX-[0-9A-Za-z_-]{20,40}"),
    _kind("google-access-token", "ya29.", r"ya29\.[0-9A-Za-z_-]{20,500}"),
    _kind("huggingface-token", "hf_", r"hf_[A-Za-z0-9]{30,40}"),
    _kind("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{40,60}"),
    _kind("replicate-token", "r8_", r"r8_[A-Za-z0-9]{30,45}"),
    _kind("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{32,64}"),
    _kind("xai-key", "xai-", r"xai-[A-Za-z0-9]{40,100}"),
    _kind("github-token", "gh", r"gh[pousr]_[A-Za-z0-9]{30,255}"),
    _kind("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{22,255}"),
    _kind("gitlab-token", "gl", r"gl(?:pat|dt|rt|ft|soat|ptt|imt|agent|cbt|oas)-[A-Za-z0-9_.-]{20,300}"),
    _kind("bitbucket-token", "atbb", r"ATBB[A-Za-z0-9]{24,40}"),
    _kind("artifactory-token", "akc", r"AKC[0-9a-zA-Z]{10,200}"),
    _kind("atlassian-token", "atatt3", r"ATATT3[A-Za-z0-9_=-]{60,300}"),
    _kind("slack-token", "xox", r"xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,250}"),
    _kind("slack-token", "xapp-", r"xapp-[0-9]-[A-Za-z0-9-]{20,200}"),
    _kind("slack-webhook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9_/-]{20,200}"),
    _kind("discord-webhook", "/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/[0-9]{15,22}/[A-Za-z0-9_-]{40,90}"),
    _kind(
        "teams-webhook", "webhook.office.com", r"[a-z0-9-]{1,60}\.webhook\.office\.com/webhookb2/[A-Za-z0-9@/-]{40,300}"
    ),
    _kind("npm-token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    _kind("rubygems-key", "rubygems_", r"rubygems_[0-9a-f]{48}"),
    _kind("docker-token", "dckr_", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,60}"),
    _kind("stripe-key", "k_", r"[rs]k_(?:live|test)_[0-9a-zA-Z]{16,250}"),
    _kind("webhook-secret", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,100}"),
    _kind("shopify-token", "shp", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    _kind("square-token", "sq0", r"sq0(?:atp|csp|idp)-[0-9A-Za-z_-]{22,43}"),
    _kind("mailgun-key", "key-", r"key-[0-9a-f]{32}(?![0-9a-f])"),
    _kind("digitalocean-token", "_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    _kind("heroku-key", "hrku-", r"HRKU-[A-Za-z0-9_-]{36,70}"),
    _kind("fly-token", "fm2_", r"fm2_[A-Za-z0-9+/=_-]{40,500}"),
    _kind("supabase-token", "sb", r"sb(?:p|_secret)_[A-Za-z0-9_-]{20,60}"),
    _kind("planetscale-token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{30,70}"),
    _kind("doppler-token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{30,80}"),
    _kind("vault-token", "hv", r"hv[sbr]\.[A-Za-z0-9_-]{24,300}"),
    _kind("telegram-token", ":aa", r"[0-9]{8,10}:AA[0-9A-Za-z_-]{33}"),
    _kind("terraform-token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,80}"),
    _kind("pulumi-token", "pul-", r"pul-[0-9a-f]{40}"),
    _kind("databricks-token", "dapi", r"dapi[0-9a-f]{32}"),
    _kind("grafana-token", "gl", r"gl(?:sa|c)_[A-Za-z0-9+/=_-]{32,300}"),
    _kind("newrelic-key", "nrak-", r"NRAK-[A-Z0-9]{27}"),
    _kind("sentry-token", "sntry", r"sntry[su]_[A-Za-z0-9+/=_-]{40,400}"),
    _kind("linear-key", "lin_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}"),
    _kind("notion-token", "ntn_", r"ntn_[A-Za-z0-9]{40,60}"),
    _kind("notion-token", "secret_", r"secret_[A-Za-z0-9]{43}"),
    _kind("figma-token", "fig", r"fig[dou]_[A-Za-z0-9_-]{30,60}"),
    _kind("airtable-token", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    _kind("postman-key", "pmak-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    _kind("azure-client-secret", "q~", r"[A-Za-z0-9_.~-]{3}[78]Q~[A-Za-z0-9_.~-]{31,34}"),
    _kind("azure-sas", "sig=", r"sig=[A-Za-z0-9%+/]{40,90}"),
    _kind("age-key", "age-secret-key-", r"AGE-SECRET-KEY-1[A-Z0-9]{50,60}"),
    _kind("facebook-token", "eaa", r"EAA[A-Za-z0-9]{60,300}"),
    _kind("private-key", "private key", r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"),
    _kind(
        "jwt",
        "eyj",
        r"eyJ(?<![A-Za-z0-9_-]eyJ)[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{4,4000}(?:\.[A-Za-z0-9_-]{0,1000})?",
    ),
    _kind(
        "authorization-header",
        "authorization",
        r"authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:bearer|basic|token)\s{1,3}(?=[A-Za-z0-9._~+/=-]{0,200}[0-9])[A-Za-z0-9._~+/=-]{16,600}",
        re.IGNORECASE,
    ),
)

# Those whose patterns are linear; the others of detect-secrets (assignments, JWT, OpenAI, npm) have their own above or
# in `secrets`, because theirs cost the square of a long line.
_PLUGINS = (
    ("aws-key", AWSKeyDetector, ""),
    ("azure-storage-key", AzureStorageKeyDetector, "accountkey="),
    ("discord-token", DiscordBotTokenDetector, "."),
    ("github-token", GitHubTokenDetector, "gh"),
    ("gitlab-token", GitLabTokenDetector, ""),
    ("mailchimp-key", MailchimpDetector, "-us"),
    ("private-key", PrivateKeyDetector, "key"),
    ("pypi-token", PypiTokenDetector, "pypi-"),
    ("sendgrid-key", SendGridDetector, "sg."),
    ("square-token", SquareOAuthDetector, "sq0csp-"),
    ("stripe-key", StripeDetector, "k_live_"),
    ("twilio-key", TwilioKeyDetector, ""),
)

SECRET_KINDS = _OWN + tuple(
    SecretKind(name, pattern, _literal(pattern.pattern, literal))
    for name, detector, literal in _PLUGINS
    for pattern in detector().denylist
)
