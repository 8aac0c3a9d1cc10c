"""Invented credentials of every kind, put together here so that no scanner trips over this source."""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Mapping

_LETTERS = string.ascii_letters
_ALNUM = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"


def planted_secrets(seed: int = 0) -> Mapping[str, str]:
    """Return one credential of each kind as it would stand in a message; the same ones for the same seed."""
    rng = random.Random(seed)  # noqa: S311  # invented on purpose

    def some(count: int, alphabet: str = _ALNUM) -> str:
        body = "".join(rng.choice(alphabet) for _ in range(count - 3))
        return body + rng.choice(_HEX[10:]) + rng.choice(_HEX[:10]) + rng.choice(_HEX[10:])

    def jwt_part(value: Mapping[str, str]) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    upper = string.ascii_uppercase + string.digits
    jwt = ".".join((jwt_part({"alg": "HS256", "typ": "JWT"}), jwt_part({"sub": some(12)}), some(43)))
    return {
        "anthropic": "sk-ant-" + "api03-" + some(93),
        "openai project": "sk-" + "proj-" + some(48),
        "openai legacy": "sk-" + some(48),
        "openrouter": "sk-" + "or-v1-" + some(64, _HEX),
        "github personal": "gh" + "p_" + some(36),
        "github oauth": "gh" + "o_" + some(36),
        "github user": "gh" + "u_" + some(36),
        "github server": "gh" + "s_" + some(36),
        "github refresh": "gh" + "r_" + some(36),
        "github fine-grained": "github" + "_pat_" + some(22) + "_" + some(59),
        "gitlab": "gl" + "pat-" + some(20),
        "gitlab runner": "gl" + "rt-" + some(20),
        "bitbucket": "AT" + "BB" + some(32),
        "atlassian": "ATA" + "TT3" + some(180),
        "slack bot": "xo" + "xb-" + "123456789012-" + some(24),
        "slack user": "xo" + "xp-" + "123456789012-" + some(24),
        "slack app": "xa" + "pp-1-A012-" + some(40),
        "slack webhook": "https://hooks.slack" + ".com/services/T012AB3/B012CD4/" + some(24),
        "discord webhook": "https://discord" + ".com/api/webhooks/123456789012345678/" + some(68),
        "discord bot": "M" + some(23) + "." + some(6) + "." + some(27),
        "teams webhook": "https://acme.webhook" + ".office.com/webhookb2/" + some(60),
        "aws access key": "AK" + "IA" + some(16, upper).upper(),
        "aws secret key": "aws_secret_access_" + f'key = "{some(40)}"',
        "google api": "AI" + "za" + some(35),
        "google client": "GOC" + "SPX-" + some(28),
        "google access": "ya" + "29." + some(60),
        "huggingface": "h" + "f_" + some(34),
        "groq": "gs" + "k_" + some(52),
        "replicate": "r" + "8_" + some(37),
        "npm": "np" + "m_" + some(36),
        "pypi": "py" + "pi-AgEIcHlwaS5vcmc" + some(80),
        "rubygems": "ruby" + "gems_" + some(48, _HEX),
        "docker": "dckr" + "_pat_" + some(27),
        "stripe live": "sk" + "_live_" + some(24),
        "stripe test": "rk" + "_test_" + some(24),
        "stripe webhook": "wh" + "sec_" + some(32),
        "shopify": "shp" + "at_" + some(32, _HEX),
        "square": "sq0" + "csp-" + some(43),
        "sendgrid": "S" + "G." + some(22) + "." + some(43),
        "mailgun": "key" + "-" + some(32, _HEX),
        "mailchimp": some(32, _HEX) + "-" + "us12",
        "twilio": "S" + "K" + some(32, _HEX),
        "telegram": "123456789" + ":A" + "A" + some(33),
        "digitalocean": "do" + "p_v1_" + some(64, _HEX),
        "heroku": "HR" + "KU-" + some(40),
        "fly": "fm" + "2_" + some(60),
        "supabase": "sb" + "p_" + some(40),
        "planetscale": "pscale" + "_tkn_" + some(43),
        "doppler": "dp" + ".pt." + some(43),
        "vault": "hv" + "s." + some(60),
        "terraform": some(14) + ".atlas" + "v1." + some(66),
        "pulumi": "pu" + "l-" + some(40, _HEX),
        "databricks": "da" + "pi" + some(32, _HEX),
        "grafana": "gl" + "sa_" + some(40),
        "new relic": "NR" + "AK-" + some(27, upper).upper(),
        "sentry": "sntr" + "ys_" + some(80),
        "linear": "lin" + "_api_" + some(40),
        "notion": "nt" + "n_" + some(46),
        "figma": "fi" + "gd_" + some(40),
        "airtable": "pa" + "t" + some(14) + "." + some(64, _HEX),
        "postman": "PM" + "AK-" + some(24, _HEX) + "-" + some(34, _HEX),
        "azure storage": "Account" + "Key=" + some(86) + "==",
        "azure client": some(3) + "8" + "Q~" + some(34),
        "age": "AGE-SECRET" + "-KEY-1" + some(58, upper).upper(),
        "facebook": "EA" + "A" + some(120),
        "artifactory": "token " + "AK" + "C" + some(20),
        "private key": "-----BEGIN RSA " + "PRIVATE KEY-----",
        "openssh key": "-----BEGIN OPENSSH " + "PRIVATE KEY-----",
        "pgp key": "-----BEGIN PGP " + "PRIVATE KEY BLOCK-----",
        "jwt": jwt,
        "bearer header": "Authorization: " + "Bearer " + some(32),
        "basic header": "authorization: " + "Basic " + some(32),
        "basic auth url": "postgres://orders:" + some(12) + "@db.acme.example:5432/orders",
        "quoted password": "pass" + f'word: "{some(14)}"',
        "short keyword": "p" + 'w: "hunter2hunter2"',
        "bare password": "DB_PASS" + f"WORD={some(16)}",
        "letters only password": "pass" + 'wd = "correct-horse!battery"',
        "api key": "api" + f"_key: {some(24)}",
        "json secret": '"client_' + f'secret": "{some(24)}"',
        "prose password": "the pass" + f"word is {some(12)}",
        "curl user": "curl -u " + f"ops:{some(12)} https://x.example",
        "flag": "mysql --pass" + f"word={some(12)}",
        "environment": "PG" + f"PASSWORD={some(12)} psql",
        "high entropy": f'SESSION_SALT = "{some(40)}"',
    }
