"""Which expressions may be sent to a Prometheus."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.sources.production.prometheus.expressions import Expression, Objection, read_expression


def test_a_selector_is_sent_as_it_was_understood() -> None:
    text = 'kube_replicas{deployment=\'orders-api\', namespace="shop",env!="test", pod=~"a|b", gone=""}'

    assert read_expression(text) == Expression(
        text='kube_replicas{deployment="orders-api", namespace="shop", env!="test", pod=~"a|b", gone=""}',
        shape="kube_replicas",
        names=("orders-api", "shop"),
        plain=True,
    )


@pytest.mark.parametrize(
    ("text", "sent", "shape", "names"),
    [
        ("sum(x) by (a,b)", "sum by (a, b) (x)", "sum by (a, b) (x)", ()),
        ('max without (pod) (x{job="j"})', 'max without (pod) (x{job="j"})', "max without (pod) (x)", ("j",)),
        ('rate(x{job="j"}[5m])', 'rate(x{job="j"}[5m])', "rate(x[5m])", ("j",)),
        ("x offset 1h", "x offset 1h", "x offset 1h", ()),
        ("topk(3, (x))", "topk(3, x)", "topk(3, x)", ()),
        ('{__name__="x", job="j"}', '{__name__="x", job="j"}', "x", ("j",)),
        ("count({__name__='x'})", 'count({__name__="x"})', "count(x)", ()),
        ('x{a="say \\"no\\" \\\\"}', 'x{a="say \\"no\\" \\\\"}', "x", ('say "no" \\',)),
        (
            'histogram_quantile(0.99, sum by (le) (rate(x{job="j"}[5m])))',
            'histogram_quantile(0.99, sum by (le) (rate(x{job="j"}[5m])))',
            "histogram_quantile(0.99, sum by (le) (rate(x[5m])))",
            ("j",),
        ),
    ],
)
def test_functions_that_show_what_they_are_given_may_be_asked(
    text: str, sent: str, shape: str, names: tuple[str, ...]
) -> None:
    read = read_expression(text)

    assert isinstance(read, Expression), read
    assert (read.text, read.shape, read.names) == (sent, shape, names)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the end where a metric has to stand"),
        ("7", "7 where a metric has to stand"),
        ("vector(7)", "the function vector"),
        ("scalar(x)", "the function scalar"),
        ("time()", "the function time"),
        ('label_replace(x, "a", "orders-api", "b", "c")', "the function label_replace"),
        ('label_join(x, "a", "-", "b")', "the function label_join"),
        ('count_values("orders-api", x)', "the function count_values"),
        ("absent(x)", "the function absent"),
        ("group(x)", "the function group"),
        ("sgn(x)", "the function sgn"),
        ("clamp(x, 7, 7)", "the function clamp"),
        ("count_over_time(x[7s])", "the function count_over_time"),
        ("x + 7", "'+ 7', which is not known"),
        ("-x", "'-x', which is not known"),
        ("x > 3", "'> 3', which is not known"),
        ("x or y", "or where end of the expression has to stand"),
        ("x unless y", "unless where end of the expression has to stand"),
        ("x and on (a) y", "and where end of the expression has to stand"),
        ("x y", "y where end of the expression has to stand"),
        ("NaN", "NaN where a metric has to stand"),
        ("inf", "inf where a metric has to stand"),
        ("x[5m]", "a range, which a function has to be of"),
        ("rate(x)", "rate of x"),
        ("abs(x[5m])", "abs of x[5m]"),
        ("sum(x[5m])", "sum of x[5m]"),
        ("max_over_time(rate(x[5m])[1h:1m])", "'1h:1m])', which is not known"),
        ("max_over_time(rate(x[5m])[1h])", "max_over_time of rate"),
        ("x @ 0", "'@ 0', which is not known"),
        ('x{a     ="b"}', "more than four blanks in a row"),
        ("x # why", "'# why', which is not known"),
        ("x{a=`b`}", "'`b`}', which is not known"),
        ('x{a="b\\n"}', "'\"b\\\\n\"}', which is not known"),
        ("x{a=b}", "=b where a matcher has to stand"),
        ('x{a=="b"}', "== where a matcher has to stand"),
        ('sum({job="j"})', "an expression over series of several names"),
        ("topk(0, x)", "0 where a number within its bounds has to stand"),
        ("quantile(7, x)", "7 where a number within its bounds has to stand"),
        ("max_over_time(x[32d])", "32d where a time of at most 31 days has to stand"),
        ("x offset 1y", "1y where a time of at most 31 days has to stand"),
        ("sum(" * 9 + "x" + ")" * 9, "more than 8 expressions in one another"),
        (f'x{{a=~"{"(a*)*" * 41}"}}', "more than 20 matchers or one of 200 characters"),
        ("x" * 1001, "an expression of more than 1000 characters"),
    ],
)
def test_a_refusal_names_the_first_thing_that_is_not_known(text: str, reason: str) -> None:
    assert read_expression(text) == Objection(reason)


_WORDS = st.sampled_from(
    [
        *("up", "x:y", "sum", "rate", "vector", "topk", "quantile", "absent", "or", "by", "offset", "bool", "NaN"),
        *("(", ")", "{", "}", "[", "]", ",", "=", "!=", "=~", "+", ">", ":", "@", "#"),
        *('"a"', "'b'", "7", "0.5", "5m", "1h30m", "job", "__name__"),
    ]
)


@given(st.lists(_WORDS, max_size=14).map(" ".join) | st.text(max_size=40))
def test_what_is_sent_is_read_as_the_same_again(text: str) -> None:
    read = read_expression(text)

    if isinstance(read, Expression):
        assert read_expression(read.text) == read
