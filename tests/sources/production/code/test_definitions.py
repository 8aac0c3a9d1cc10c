from __future__ import annotations

import pytest

from dream.sources.production.code.definitions import NAME, defines


@pytest.mark.parametrize(
    "line",
    [
        "def total(order):",
        "    async def total(self) -> int:",
        "class total(Base):",
        "function total() {",
        "export default async function* total() {",
        "export const total = 3;",
        "let mut total = 3;",
        "func (s *Server) total(ctx context.Context) error {",
        "func total() int {",
        "pub(crate) fn total() -> u8 {",
        "type total struct {",
        "interface total {",
        "enum total { A }",
        "#define total 3",
        "public static int total(int a) {",
        "    private final List<String> total = null;",
        "total() {",
        "export total=3",
        "total = 3",
        "total: int = 3",
        'resource "aws_sqs_queue" "total" {',
        'variable "total" {',
        "CREATE TABLE IF NOT EXISTS shop.total (",
        "create or replace view total as",
        "CREATE UNIQUE INDEX CONCURRENTLY total ON x (y);",
        "  - alert: total",
        "message total {",
    ],
)
def test_a_definition_is_told(line: str) -> None:
    assert defines(line, "total")


@pytest.mark.parametrize(
    "line",
    [
        "return total(order)",
        "    total = 3",
        "total == 3",
        "total(order)",
        "def subtotal(order):",
        "def total_of(order):",
        "# def total(order):",
        "// function total() {",
        " * class total",
        "-- CREATE TABLE total (",
        "from shop import total",
        "SELECT * FROM total",
        'data = "total"',
        "items.map(total => 3)",
    ],
)
def test_a_use_is_no_definition(line: str) -> None:
    assert not defines(line, "total")


def test_t14_a_name_far_into_a_line_is_no_definition_and_takes_no_time() -> None:
    assert not defines(" " * 100_000 + "total", "total")


def test_a_constant_is_one_also_within_a_class() -> None:
    assert defines("    MAX_ORDERS = 3", "MAX_ORDERS")
    assert not defines("    if MAX_ORDERS == 3:", "MAX_ORDERS")


@pytest.mark.parametrize("name", ["--exec", "a b", "", "a.b", "9x", "x" * 300, "a\n"])
def test_what_is_no_name_is_none(name: str) -> None:
    assert NAME.fullmatch(name) is None
