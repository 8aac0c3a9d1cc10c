"""What a call took where nobody counted it."""

from __future__ import annotations

from dream.models.port import Usage
from dream.models.prompt import Prompt

BYTES_PER_TOKEN = 4
"""English prose and code come to about four bytes a token; other scripts take more bytes a character, so it holds."""


def estimated_usage(prompt: Prompt, text: str) -> Usage:
    """Return one call with `prompt` in and `text` out, a token for every four bytes begun.

    For local servers that count nothing and for requests whose answer was lost on the way: a ceiling that counts them
    as nothing would not hold.
    """
    texts = [prompt.system, prompt.user_text(b"")]
    return Usage(input=sum(map(estimated_tokens, texts)), output=estimated_tokens(text), calls=1)


def estimated_tokens(text: str) -> int:
    """Return how many tokens `text` comes to: one for every four bytes begun."""
    return -(-len(text.encode(errors="surrogatepass")) // BYTES_PER_TOKEN)
