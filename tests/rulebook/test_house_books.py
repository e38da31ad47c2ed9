"""Operators' own rule books: what they may change, and how mistakes are reported."""

import re
from pathlib import Path

import pytest

from headsup.game.refusal import Mistake, RulesRefused
from headsup.game.rulebook.loader import SHIPPED_BOOKS, load_book
from headsup.game.rulebook.model import Cause, Limit, TableOption
from headsup.game.rulebook.options import OPTIONS
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Street, Wager
from tests.support.rounds import LOSE, WIN, Cards, paid, refused, settled

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = DOCS / "examples"
FLUSH_ONLY = 'rows = [["flush", "Flush", "5"]]'


class House:
    """Writes books into the test's own folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def book(self, text: str, name: str = "my-house.toml") -> str:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def mistakes(self, text: str) -> list[Mistake]:
        """Every mistake found on the way from this text to a table's rules."""
        path = self.book(text)
        with pytest.raises(RulesRefused) as refusal:
            table_rules(path)
        assert all(str(mistake) in refusal.value.message for mistake in refusal.value.mistakes)
        return list(refusal.value.mistakes)

    def only_mistake(self, text: str) -> Mistake:
        (mistake,) = self.mistakes(text)
        assert mistake.file == str(self.folder / "my-house.toml")
        return mistake

    def codes(self, text: str) -> dict[str, str]:
        """Key → code of every mistake, each reported with the file."""
        mistakes = self.mistakes(text)
        assert {mistake.file for mistake in mistakes} == {str(self.folder / "my-house.toml")}
        return {mistake.key: mistake.code for mistake in mistakes}


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


# What a house may say.


@pytest.mark.parametrize("shipped", SHIPPED_BOOKS)
def test_a_book_that_only_extends_settles_like_the_shipped_one(house: House, shipped: str) -> None:
    path = house.book(f'extends = "{shipped}"')
    book = load_book(path)
    assert (book.id, book.kind, book.document) == ("my-house", "house", load_book(shipped).document)
    for cards in (*WIN.values(), *LOSE.values()):
        assert settled(path, cards) == settled(shipped, cards)


def test_a_house_may_choose_among_the_paytables(house: House) -> None:
    path = house.book("""
        extends = "galaxy"
        [paytables]
        bad_beat = "4"
        trips_plus = "3"
    """)
    lost = settled(path, LOSE["flush"], trips_plus=5)
    assert lost.nets["odds"] == 50
    assert lost.nets["trips_plus"] == 35


def test_a_round_may_override_the_choices_of_the_house(house: House) -> None:
    path = house.book('extends = "galaxy"\n[paytables]\nbad_beat = "4"')
    assert settled(path, LOSE["flush"], paytables={"bad_beat": "1"}).nets["odds"] == 80


def test_a_house_may_set_options_that_its_document_leaves_open(house: House) -> None:
    path = house.book("""
        extends = "galaxy"
        [options]
        pocket_raises = [1, 2, 3]
        progressive_stake = "5.00"
        chip_unit = "1.00"
        rounding = "up"
        cap = { amount = "25000.00", scope = "table" }
    """)
    rules = table_rules(path)
    assert rules.raises[Street.POCKET] == (1, 2, 3)
    assert rules.progressive_stake == 500
    assert rules.cap is not None
    assert (rules.cap.amount, rules.cap.scope) == (2_500_000, "table")
    assert settled(path, WIN["flush"], ("pocket", 1), ante=5).main == (5, 8, 5)


def test_a_house_may_post_limits(house: House) -> None:
    path = house.book("""
        extends = "sugarhouse"
        [limits]
        ante = { min = "10.00", max = 200, step = 5 }
        trips_plus = { max = "50.00" }
    """)
    limits = table_rules(path).limits
    assert limits[Wager.ANTE] == Limit(1_000, 20_000, 500)
    assert limits[Wager.TRIPS_PLUS] == Limit(max=5_000)
    assert refused(path, ante=5).code == "below_minimum"
    assert refused(path, trips_plus="50.01").code == "above_maximum"


def test_a_house_may_fill_bonus_cells(house: House) -> None:
    path = house.book("""
        extends = "washington"
        [paytables]
        pocket_bonus = "HH/PB-2"
        [bonus.pocket_bonus]
        pair_of_aces = "50"
        suited_ace_face = "15 to 1"
        unsuited_ace_face = 7
        pair = "7:2"
    """)
    pockets = {
        hole: Cards(hole, "9s 7h 5s 3d 2d", "8h 8d") for hole in ("AcAd", "AcJc", "AcJd", "6c6h")
    }
    nets = paid(path, "pocket_bonus", "HH/PB-2", pockets)
    assert list(nets.values()) == [50, 15, 7, 3.5]


def test_a_house_may_leave_a_wager_off_its_layout(house: House) -> None:
    path = house.book(
        'extends = "galaxy"\n[offers]\nall_6 = false\n[paytables]\nprogressive = "none"'
    )
    rules = table_rules(path)
    assert not rules.offers(Wager.ALL_6)
    assert not rules.offers(Wager.PROGRESSIVE)
    assert refused(path, progressive=1).code == "wager_not_offered"


def test_a_house_may_add_a_table_labelled_custom(house: House) -> None:
    path = house.book("""
        extends = "galaxy"
        [paytables]
        trips_plus = "Ours"
        [[paytable]]
        key = "trips_plus"
        custom = true
        ids = ["Ours", "Sundays"]
        rows = [
          ["four_of_a_kind", "Quads", "20", "25"],
          ["flush", "Flush", "5:2", 3.5],
          ["straight", "Straight", "Push", "Loss"],
        ]
    """)
    assert load_book(path).paytables["trips_plus"]["Ours"].custom
    assert not load_book(path).paytables["trips_plus"]["1"].custom
    hands = {hand: WIN[hand] for hand in ("four_of_a_kind", "flush", "straight", "full_house")}
    assert list(paid(path, "trips_plus", "Ours", hands).values()) == [20, 2.5, 0, -1]
    assert list(paid(path, "trips_plus", "Sundays", hands).values()) == [25, 3.5, -1, -1]


def test_a_custom_table_is_cited_by_its_own_clause(house: House) -> None:
    """A house's own paytable does not cite the maker's clause."""
    tables = "".join(
        f'''
        [[paytable]]
        key = "{key}"
        custom = true
        clause = "House {key}"
        ids = ["Ours"]
        rows = [["flush", "Flush", "5"]]
        '''
        for key in ("odds", "bad_beat", "trips_plus")
    )
    path = house.book(f'extends = "galaxy"\n{tables}')
    ours = {"odds": "Ours", "bad_beat": "Ours", "trips_plus": "Ours"}
    won = settled(path, WIN["flush"], trips_plus=5, paytables=ours)
    assert won.clauses["odds"] == "House odds"
    assert won.clauses["trips_plus"] == "House trips_plus"
    assert won.clauses["ante"] == "G 11(b)"
    assert settled(path, LOSE["flush"], paytables=ours).clauses["odds"] == "House bad_beat"
    makers = settled(path, WIN["flush"], trips_plus=5)
    assert (makers.clauses["odds"], makers.clauses["trips_plus"]) == ("G 11(e)", "G Trips Plus")


def test_a_custom_table_without_a_clause_is_cited_by_its_book(house: House) -> None:
    path = house.book(
        f'extends = "galaxy"\n[paytables]\ntrips_plus = "Ours"\n[[paytable]]\n'
        f'key = "trips_plus"\ncustom = true\nids = ["Ours"]\n{FLUSH_ONLY}'
    )
    assert settled(path, WIN["flush"], trips_plus=5).clauses["trips_plus"] == "my-house"


def test_a_custom_progressive_pays_shares_of_the_pool(house: House) -> None:
    path = house.book("""
        extends = "galaxy"
        [paytables]
        progressive = "Ours"
        [[paytable]]
        key = "progressive"
        custom = true
        ids = ["Ours"]
        basis = "for"
        rows = [["straight_flush", "Straight flush", "12.5%"], ["flush", "Flush", "4 for 1"]]
    """)
    hands = {hand: WIN[hand] for hand in ("straight_flush", "flush", "straight")}
    assert list(paid(path, "progressive", "Ours", hands, meter=8_000).values()) == [999, 3, -1]


def test_a_house_may_rename_wagers(house: House) -> None:
    path = house.book('extends = "galaxy"\n[labels]\nraise = "Play"')
    assert load_book(path).label(Wager.RAISE) == "Play"


def test_the_fingerprint_covers_the_text_of_a_book(house: House) -> None:
    """Logs and caches never confuse two editions, even if they settle alike."""
    first = table_rules(house.book('extends = "galaxy"'))
    same = table_rules(house.book('extends = "galaxy"', "copy.toml"))
    other = table_rules(house.book('extends = "galaxy"\ntitle = "Second edition"'))
    assert first.fingerprint == same.fingerprint
    assert first.fingerprint != other.fingerprint
    assert first.fingerprint != table_rules("galaxy").fingerprint


def test_a_round_may_restore_the_value_of_the_document(house: House) -> None:
    path = house.book('extends = "galaxy"\n[options]\npocket_raises = [1, 2, 3]')
    assert table_rules(path, options={"pocket_raises": [3]}).raises[Street.POCKET] == (3,)


PB_2 = """
    extends = "washington"
    [paytables]
    pocket_bonus = "HH/PB-2"
    [bonus.pocket_bonus]
    pair_of_aces = 50
    suited_ace_face = 15
    unsuited_ace_face = 7
    pair = 4
"""


@pytest.mark.parametrize("other", ["HH/PB-1", "none"])
def test_filled_cells_do_not_bind_a_round_to_their_table(house: House, other: str) -> None:
    tables = table_rules(house.book(PB_2), {"pocket_bonus": other}).paytables
    assert ("pocket_bonus" in tables) == (other != "none")


def test_a_house_may_set_irregularity_rules_that_its_document_lacks(house: House) -> None:
    path = house.book('extends = "galaxy"\n[irregularities.foul_deck]\nsettles = ["trips_plus"]')
    rule = load_book(path).irregularities[Cause.FOUL_DECK]
    assert (rule.voids, rule.settles) == ("all", (Wager.TRIPS_PLUS,))
    assert rule.house_rule
    assert rule.clause == "my-house"


# Books of kind "study".


def test_a_study_may_depart_from_its_document(house: House) -> None:
    path = house.book("""
        extends = "new-york"
        kind = "study"
        [options]
        pocket_raises = [3, 4]
        qualifier = "none"
        trips_plus_after_fold = "forfeits"
        progressive_stake = "2.00"
        [paytables]
        bad_beat = "none"
        trips_plus = "Mild"
        [[paytable]]
        key = "trips_plus"
        ids = ["Mild"]
        rows = [["flush", "Flush", "5"]]
    """)
    won = settled(path, WIN["flush"], ("pocket", 4), trips_plus=5, progressive=2)
    assert won.nets == {"ante": 10, "odds": 15, "raise": 40, "trips_plus": 25, "progressive": 10}
    assert settled(path, LOSE["flush"], ("pocket", 4)).main == (-10, -10, -40)


def test_a_study_is_free_of_washingtons_notes(house: House) -> None:
    path = house.book('extends = "washington"\nkind = "study"\n[paytables]\nodds = "HH/OW-1"')
    assert settled(path, WIN["straight_flush"]).nets["odds"] == 400


def test_a_study_still_refuses_nonsense(house: House) -> None:
    assert house.codes("""
        extends = "galaxy"
        kind = "study"
        [options]
        pocket_raises = [0]
        no_such_option = 1
    """) == {"options.pocket_raises": "bad_option", "options.no_such_option": "unknown_key"}


# The two books in docs/examples.


def test_example_my_house() -> None:
    path = str(EXAMPLES / "my-house.toml")
    rules = table_rules(path)
    assert (rules.id, rules.book.kind) == ("my-house", "house")
    assert rules.meter_contribution == 1_250_000
    won = settled(
        path, WIN["flush"], ("pocket", 2), ante=15, trips_plus=5, pocket_bonus=5, progressive=5
    )
    assert won.nets == {
        "ante": 15,
        "odds": 23,  # 22.50, up to the next dollar
        "raise": 30,
        "trips_plus": 30,
        "pocket_bonus": -5,
        "progressive": -5,  # Galaxy's progressive 6 pays nothing for a flush
    }
    assert refused(path, all_6=5).code == "wager_not_offered"
    assert refused(path, ante=12).code == "off_step"


def test_example_ultimate_texas_holdem() -> None:
    path = str(EXAMPLES / "ultimate-texas-holdem.toml")
    assert table_rules(path).raises == {
        Street.POCKET: (3, 4),
        Street.FLOP: (2,),
        Street.RIVER: (1,),
    }
    assert settled(path, WIN["flush"], ("pocket", 4), trips_plus=5).nets == {
        "ante": 10,
        "odds": 15,
        "raise": 40,
        "trips_plus": 35,
    }
    assert settled(path, LOSE["straight_flush"], ("pocket", 3)).main == (-10, -10, -30)
    assert refused(path, raise_=("pocket", 2)).code == "raise_not_allowed"
    assert refused(path, pocket_bonus=5).code == "wager_not_offered"
    assert load_book(path).label(Wager.ODDS) == "Blind"


# The documentation is true.


def test_rule_books_md_says_where_each_option_is_open() -> None:
    text = (DOCS / "rule-books.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| `(\w+)` \| .* \| ([^|]+) \|$", text.split("## Options")[1], re.MULTILINE
    )
    documented = {
        key: set(SHIPPED_BOOKS) if where == "all" else set(re.findall("`(.+?)`", where))
        for key, where in rows
    }
    books = [load_book(shipped) for shipped in SHIPPED_BOOKS]
    assert documented == {
        key: {book.id for book in books if key in book.options and _is_open(book.options[key])}
        for key in OPTIONS
    }


def _is_open(option: TableOption) -> bool:
    return option.open or bool(option.may_be)


def test_every_example_in_rule_books_md_can_be_used(house: House) -> None:
    text = (DOCS / "rule-books.md").read_text(encoding="utf-8")
    examples = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert len(examples) == 3
    for example in examples:
        table_rules(
            house.book(example if "extends" in example else f'extends = "galaxy"\n{example}')
        )


def test_rule_decisions_md_explains_every_number_that_is_cited() -> None:
    text = (DOCS / "rule-decisions.md").read_text(encoding="utf-8")
    explained = re.findall(r"^- \*\*(R\d+)\*\* ", text, re.MULTILINE)
    numbers = [int(number[1:]) for number in explained]
    assert numbers[:103] == [*range(1, 104)]
    assert numbers == sorted(set(numbers)), "each once, in order"
    cited = set()
    for path in (DOCS.parent / "src").rglob("*.*"):
        if path.suffix in (".py", ".toml"):
            cited |= set(re.findall(r"\bR\d+\b", path.read_text(encoding="utf-8")))
    assert "R36" in cited
    assert cited <= set(explained)


# Files that cannot be read.


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "nowhere.toml")
    with pytest.raises(RulesRefused) as refusal:
        load_book(path)
    assert refusal.value.code == "unreadable_file"
    assert path in refusal.value.message


def test_a_folder_is_not_a_book(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(RulesRefused) as refusal:
        load_book(str(tmp_path / "folder.toml"))
    assert refusal.value.code == "unreadable_file"


def test_a_book_must_be_utf8(tmp_path: Path) -> None:
    path = tmp_path / "latin.toml"
    path.write_bytes('extends = "galaxy"\ntitle = "Casino de Liège"'.encode("latin-1"))
    with pytest.raises(RulesRefused, match="is not UTF-8 text"):
        load_book(str(path))


@pytest.mark.parametrize(
    "text",
    ['extends = "galaxy', "extends galaxy", 'extends = "galaxy"\nextends = "galaxy"', "[[[", "\0"],
)
def test_bad_toml_is_reported_with_its_place(house: House, text: str) -> None:
    mistake = house.only_mistake(text)
    assert mistake.code == "bad_toml"
    assert "at line" in mistake.reason or "at end of document" in mistake.reason


def test_deeply_nested_toml_is_refused(house: House) -> None:
    assert house.only_mistake("x = " + "[" * 5_000).code == "bad_toml"


def test_unknown_rule_book_name() -> None:
    with pytest.raises(RulesRefused, match="there is no rule book 'vegas'") as refusal:
        load_book("vegas")
    assert refusal.value.code == "unknown_rules"
    assert all(shipped in refusal.value.message for shipped in SHIPPED_BOOKS)


@pytest.mark.parametrize(
    "text",
    ["", 'extends = "vegas"', 'extends = "./other.toml"', "extends = 3", 'extends = ["galaxy"]'],
)
def test_extends_missing_or_unknown(house: House, text: str) -> None:
    mistake = house.only_mistake(text)
    assert mistake.key == "extends"
    assert "galaxy" in mistake.reason


def test_kind_and_id_cannot_be_a_documents(house: House) -> None:
    text = 'extends = "galaxy"\nkind = "document"\nid = "new-york"'
    assert set(house.codes(text)) == {"kind", "id"}


# Keys and values.


def test_unknown_keys_everywhere(house: House) -> None:
    assert house.codes("""
        extends = "galaxy"
        colour = "green"
        [options]
        colour = "green"
        [paytables]
        colour = "1"
        [limits.ante]
        colour = 3
        [labels]
        colour = "Green"
        [[paytable]]
        key = "trips_plus"
        custom = true
        colour = "green"
        ids = ["Ours"]
        rows = [["flush", "Flush", "5"]]
    """).items() >= {
        ("colour", "unknown_key"),
        ("options.colour", "unknown_key"),
        ("paytables.colour", "unknown_key"),
        ("limits.ante.colour", "unknown_key"),
        ("labels.colour", "unknown_key"),
        ("paytable[1].colour", "unknown_key"),
    }


def test_unknown_key_beside_an_options_value(house: House) -> None:
    text = 'extends = "galaxy"\n[options]\nchip_unit = { value = "1.00", colour = "green" }'
    assert house.codes(text) == {"options.chip_unit.colour": "unknown_key"}


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("pocket_raises", "[]"),
        ("pocket_raises", "[3, 3]"),
        ("pocket_raises", "[0]"),
        ("pocket_raises", "[11]"),
        ("pocket_raises", "[1.5]"),
        ("pocket_raises", "true"),
        ("qualifier", '"a pair"'),
        ("qualifier", '"55555"'),
        ("chip_unit", '"0.00"'),
        ("chip_unit", '"0.005"'),
        ("chip_unit", '"-1.00"'),
        ("chip_unit", "nan"),
        ("chip_unit", "1e400"),
        ("chip_unit", "2020-06-15"),
        ("rounding", '"sideways"'),
        ("meter_seed", '"-1"'),
        ("meter_seed", "inf"),
        ("progressive_stake", '"free"'),
        ("cap", "{ scope = 'player' }"),
        ("cap", "{ amount = 5, scope = 'room' }"),
        ("cap", "{ amount = 5, wagers = ['blind'] }"),
        ("cap", "{ amount = 5, wagers = [['ante']] }"),
        ("cap", "{ amount = 5, colour = 'green' }"),
        ("positions_per_player", "0"),
        ("dealing", "1"),
    ],
)
def test_impossible_option_values(house: House, option: str, value: str) -> None:
    mistake = house.only_mistake(f'extends = "galaxy"\n[options]\n{option} = {value}')
    assert (mistake.key, mistake.code) == (f"options.{option}", "bad_option")


@pytest.mark.parametrize(
    ("shipped", "option", "value"),
    [
        ("galaxy", "flop_raises", "[1, 2]"),
        ("galaxy", "qualifier", '"none"'),
        ("galaxy", "progressive_basis", '"to"'),
        ("galaxy", "face_up", "true"),
        ("galaxy-wpt", "pocket_raises", "[3]"),
        ("new-york", "progressive_stake", '"5.00"'),
        ("new-york", "positions_per_player", "2"),
        ("new-york", "cap", '"1000.00"'),
        ("sugarhouse", "cap", '"1000.00"'),
        ("sugarhouse", "board", '"as_needed"'),
        ("washington", "pocket_raises", "[1, 2, 3]"),
        ("washington-no-qualifier", "qualifier", '"one_pair"'),
    ],
)
def test_a_house_may_not_close_what_its_document_does_not_open(
    house: House, shipped: str, option: str, value: str
) -> None:
    mistake = house.only_mistake(f'extends = "{shipped}"\n[options]\n{option} = {value}')
    assert (mistake.key, mistake.code) == (f"options.{option}", "option_not_open")


@pytest.mark.parametrize(
    ("limits", "key"),
    [
        ('ante = { min = "20.00", max = "10.00" }', "limits.ante"),
        ('ante = { min = "-5.00" }', "limits.ante.min"),
        ("ante = { max = 0 }", "limits.ante.max"),
        ("ante = { max = 5.005 }", "limits.ante.max"),
        ("ante = { step = nan }", "limits.ante.step"),
        ("ante = 5", "limits.ante"),
        ("odds = { max = 5 }", "limits.odds"),
        ("progressive = { max = 5 }", "limits.progressive"),
    ],
)
def test_impossible_limits(house: House, limits: str, key: str) -> None:
    assert house.only_mistake(f'extends = "galaxy"\n[limits]\n{limits}').key == key


def test_limits_of_a_wager_that_is_not_offered(house: House) -> None:
    text = 'extends = "sugarhouse"\n[limits]\nall_6 = { max = 5 }'
    assert house.only_mistake(text).key == "limits.all_6"


# Each would be taken for a table, a list or a block, and is none.
@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("options = 3", "options"),
        ("paytables = 3", "paytables"),
        ("offers = 3", "offers"),
        ("limits = 3", "limits"),
        ("bonus = 3", "bonus"),
        ("labels = 3", "labels"),
        ("layout = 3", "layout"),
        ("notice = [3]", "notice"),
        ("title = 3", "title"),
        ("irregularities = 3", "irregularities"),
        ("[irregularities]\nfoul_deck = 3", "irregularities.foul_deck"),
        ('[irregularities]\ninherit = "vegas"', "irregularities.inherit"),
        ("[irregularities]\ninherit = 3", "irregularities.inherit"),
        ('[irregularities.foul_deck]\nsettles = [["ante"]]', "irregularities.foul_deck"),
        ('[irregularities.foul_deck]\nvoids = "some"', "irregularities.foul_deck"),
        ('[settlement]\norder = "left_to_right"', "settlement.order"),
    ],
)
def test_values_of_the_wrong_kind(house: House, text: str, key: str) -> None:
    assert house.only_mistake(f'extends = "galaxy"\n{text}').key == key


def test_r97_a_house_keeps_the_order_that_new_york_sets(house: House) -> None:
    order = '[settlement]\norder = "{}"'
    with_order = f'extends = "new-york"\n{order}'
    assert house.only_mistake(with_order.format("folders_first")).key == "settlement.order"
    for text in (with_order.format("by_dealers_hand"), 'extends = "new-york"'):
        rules = table_rules(house.book(text))
        assert rules.book.settlement_order == "by_dealers_hand"
    galaxy = table_rules(house.book(f'extends = "galaxy"\n{order}'.format("by_dealers_hand")))
    assert galaxy.book.settlement_order == "by_dealers_hand", "the document sets no order"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('id = ""', "id"),
        ('title = ""', "title"),
        ("version = 3", "version"),
        ('[[layout]]\nclause = "House"', "layout[1].text"),
        ('[[layout]]\ntext = "Yes"\n[[layout]]\ntext = " "', "layout[2].text"),
        ('[[notice]]\ntext = "Yes"\nwhen = "sometimes"', "notice[1].when"),
        ('[[notice]]\nwhen = "always"', "notice[1].text"),
        ("[labels]\nraise = 3", "labels.raise"),
    ],
)
def test_required_texts_must_not_be_empty(house: House, text: str, key: str) -> None:
    mistake = house.only_mistake(f'extends = "galaxy"\n{text}')
    assert mistake.key == key
    assert not mistake.reason.startswith(key)


def test_a_value_in_place_of_paytable_blocks_is_one_mistake(house: House) -> None:
    assert house.only_mistake('extends = "galaxy"\npaytable = 3').key == "paytable"


# Paytables.


def test_unknown_paytable(house: House) -> None:
    mistake = house.only_mistake('extends = "galaxy"\n[paytables]\ntrips_plus = "7"')
    assert (mistake.key, mistake.code) == ("paytables.trips_plus", "unknown_paytable")
    assert "1, 2, 3, 4" in mistake.reason


def test_a_paytable_that_is_a_number_may_be_written_as_one(house: House) -> None:
    path = house.book('extends = "galaxy"\n[paytables]\ntrips_plus = 3')
    assert table_rules(path).paytables["trips_plus"].id == "3"


def test_a_paytable_may_be_named_as_printed(house: House) -> None:
    path = house.book('extends = "washington"\n[paytables]\ntrips_plus = "HH/TP 5"')
    assert table_rules(path).paytables["trips_plus"].id == "HH/TP-5"


@pytest.mark.parametrize(
    ("shipped", "key"),
    [
        ("new-york", "trips_plus"),
        ("new-york", "progressive"),
        ("sugarhouse", "pocket_bonus"),
        ("washington", "odds"),
    ],
)
def test_r2_closed_lists(house: House, shipped: str, key: str) -> None:
    outcome = "pair" if key == "pocket_bonus" else "flush"
    mistake = house.only_mistake(f"""
        extends = "{shipped}"
        [[paytable]]
        key = "{key}"
        custom = true
        ids = ["Ours"]
        rows = [["{outcome}", "Ours", "5"]]
    """)
    assert (mistake.key, mistake.code) == ("paytable[1]", "closed_list")


def test_r2_an_added_table_must_be_labelled_custom(house: House) -> None:
    text = f'extends = "galaxy"\n[[paytable]]\nkey = "trips_plus"\nids = ["5"]\n{FLUSH_ONLY}'
    mistake = house.only_mistake(text)
    assert (mistake.key, mistake.code) == ("paytable[1]", "not_labelled_custom")


@pytest.mark.parametrize(
    "pay",
    ['"-5"', "-5", '"lots"', "nan", "true", "2020-06-15", '"5:0"', '"1:7000"', '"10%"', '"101%"',
     '"5 for 1"', '"99,999,999"', "[5]"],
)  # fmt: skip
def test_unreadable_pays_are_reported_by_their_row(house: House, pay: str) -> None:
    """Rows are counted in the operator's own file, not after those of the book it extends."""
    mistake = house.only_mistake(f"""
        extends = "galaxy"
        [[paytable]]
        key = "trips_plus"
        custom = true
        ids = ["Ours"]
        rows = [["straight", "Straight", "4"], ["flush", "Flush", {pay}]]
    """)
    assert (mistake.key, mistake.code) == ("paytable[1].rows[2]", "bad_pay")


@pytest.mark.parametrize(
    ("block", "key"),
    [
        ('key = "blind"\nids = ["Ours"]\n' + FLUSH_ONLY, "paytable[1].key"),
        ('key = ["odds"]\nids = ["Ours"]\n' + FLUSH_ONLY, "paytable[1].key"),
        ('key = "odds"\n' + FLUSH_ONLY, "paytable[1].ids"),
        ('key = "odds"\nids = []\n' + FLUSH_ONLY, "paytable[1].ids"),
        ('key = "odds"\nids = [5]\n' + FLUSH_ONLY, "paytable[1].ids"),
        ('key = "odds"\nids = ["1"]\n' + FLUSH_ONLY, "paytable[1]"),
        ('key = "odds"\nids = ["Ours"]', "paytable[1].rows"),
        ('key = "odds"\nids = ["Ours"]\nrows = [["flush"]]', "paytable[1].rows[1]"),
        ('key = "odds"\nids = ["Ours"]\nrows = [["pair", "Pair", "1"]]', "paytable[1].rows[1]"),
        ('key = "odds"\nids = ["Ours"]\nbasis = "per"\n' + FLUSH_ONLY, "paytable[1].basis"),
        ('key = "odds"\nids = ["Ours"]\nneeds_limit = 5\n' + FLUSH_ONLY, "paytable[1].needs_limit"),
        (
            'key = "odds"\nids = ["Ours"]\nneeds_limit = ["Ours"]\n' + FLUSH_ONLY,
            "paytable[1].needs_limit",
        ),
        ('key = "odds"\nids = ["none"]\n' + FLUSH_ONLY, "paytable[1].ids"),
        ('key = "odds"\nids = ["Ours"]\noptional = true\n' + FLUSH_ONLY, "paytable[1].optional"),
        (
            'key = "progressive"\nids = ["Ours"]\nbasis = "to"\n' + FLUSH_ONLY,
            "paytable[1].basis",
        ),
    ],
)
def test_broken_paytable_blocks(house: House, block: str, key: str) -> None:
    mistake = house.only_mistake(f'extends = "galaxy"\n[[paytable]]\ncustom = true\n{block}')
    assert mistake.key == key


def test_an_outcome_may_appear_only_once(house: House) -> None:
    rows = 'rows = [["flush", "Flush", "5"], ["flush", "Flush", "6"]]'
    text = f'extends = "galaxy"\n[[paytable]]\nkey = "odds"\ncustom = true\nids = ["Ours"]\n{rows}'
    assert "twice" in house.only_mistake(text).reason


# Bonus cells and combinations.


def test_missing_bonus_cells_are_named_with_the_file(house: House) -> None:
    mistake = house.only_mistake("""
        extends = "washington"
        [paytables]
        pocket_bonus = "HH/PB-2"
        [bonus.pocket_bonus]
        pair_of_aces = "50"
    """)
    assert (mistake.key, mistake.code) == ("bonus.pocket_bonus", "bonus_unfilled")
    assert "suited_ace_face, unsuited_ace_face, pair" in mistake.reason
    assert "pair_of_aces" not in mistake.reason


@pytest.mark.parametrize(
    ("cells", "key"),
    [
        ('flush = "9"', "bonus.trips_plus.flush"),  # a printed cell is not the operator's
        ('straights = "9"', "bonus.trips_plus.straights"),
        ('flush = "-9"', "bonus.trips_plus.flush"),
        ('flush = "Bonus"', "bonus.trips_plus.flush"),
    ],
)
def test_impossible_bonus_cells(house: House, cells: str, key: str) -> None:
    assert house.only_mistake(f'extends = "washington"\n[bonus.trips_plus]\n{cells}').key == key


@pytest.mark.parametrize(
    ("shipped", "choice", "words"),
    [
        ("washington", 'odds = "HH/OW-1"', "only without a dealer qualifier (WA App. A note 7)"),
        (
            "washington-no-qualifier",
            'odds = "HH/OW-2"',
            "only with a dealer qualifier (WA App. A note 8)",
        ),
        (
            "washington-no-qualifier",
            'bad_beat = "HH/OW/BB-1"',
            "only with a dealer qualifier (WA App. A note 9)",
        ),
    ],
)
def test_illegal_combinations(house: House, shipped: str, choice: str, words: str) -> None:
    mistake = house.only_mistake(f'extends = "{shipped}"\n[paytables]\n{choice}')
    assert mistake.code == "illegal_combination"
    assert words in mistake.reason


def test_a_house_cannot_remove_conditions(house: House) -> None:
    text = 'extends = "washington"\ncondition = []\n[paytables]\nodds = "HH/OW-1"'
    assert "illegal_combination" in house.codes(text).values()


# What a house may not take out of its document, or add to it.


@pytest.mark.parametrize("shipped", ["galaxy", "galaxy-wpt", "new-york", "sugarhouse"])
@pytest.mark.parametrize("key", ["odds", "bad_beat"])
def test_odds_and_bad_beat_are_part_of_the_game(house: House, shipped: str, key: str) -> None:
    mistake = house.only_mistake(f'extends = "{shipped}"\n[paytables]\n{key} = "none"')
    assert mistake.key == f"paytables.{key}"


def test_even_a_study_has_an_odds_paytable(house: House) -> None:
    text = """
        extends = "sugarhouse"
        kind = "study"
        [options]
        minimum_wager = "5.00"
        [paytables]
        odds = "none"
    """
    assert house.only_mistake(text).key == "paytables.odds"


def test_r7_a_house_cannot_offer_a_wager_its_document_does_not(house: House) -> None:
    codes = house.codes("""
        extends = "new-york"
        [offers]
        all_6 = "House rules"
        [paytables]
        all_6 = "Ours"
        [[paytable]]
        key = "all_6"
        custom = true
        ids = ["Ours"]
        rows = [["flush", "Flush", "15"]]
    """)
    assert "offers.all_6" in codes


def test_r10_a_house_cannot_lift_washingtons_four_option_rule(house: House) -> None:
    text = 'extends = "washington"\n[max_options]\nvalue = 0'
    assert house.only_mistake(text).key.startswith("max_options")


def test_r14_a_house_cannot_change_new_yorks_six_positions(house: House) -> None:
    assert house.only_mistake('extends = "new-york"\n[seats]\nvalue = 5').key.startswith("seats")
    assert load_book(house.book('extends = "galaxy"\n[seats]\nvalue = 5')).seats == 5


def test_r78_a_house_cannot_link_new_yorks_meters(house: House) -> None:
    assert house.only_mistake('extends = "new-york"\n[meter]\nlinkable = true').key.startswith(
        "meter"
    )


def test_a_wager_left_off_the_layout_has_no_paytable(house: House) -> None:
    mistake = house.only_mistake(
        'extends = "galaxy"\n[offers]\nall_6 = false\n[paytables]\nall_6 = "2"'
    )
    assert (mistake.key, mistake.code) == ("paytables.all_6", "wager_not_offered")


@pytest.mark.parametrize(
    "text",
    [
        'document = "000"',
        'cites = "G"',
        f'sha256 = "{"0" * 64}"',
        "condition = []",
        "layout_table = []",
        '[clauses]\nfold = "House"',
        "[max_options]\nvalue = 7",
        "[seats]\nfixed = false",
    ],
)
def test_a_house_cannot_set_what_only_documents_set(house: House, text: str) -> None:
    assert house.only_mistake(f'extends = "washington"\n{text}').code == "not_open"


def test_a_house_cannot_change_new_yorks_irregularities(house: House) -> None:
    mistake = house.only_mistake(
        'extends = "new-york"\n[irregularities.dealer_card_exposed]\nvoids = "hand"'
    )
    assert mistake.key == "irregularities.dealer_card_exposed"
    assert "NY (j)(1)" in mistake.reason


# In words.


@pytest.mark.parametrize(
    ("shipped", "option", "words"),
    [
        (
            "galaxy",
            "pocket_raises = [2]",
            "galaxy allows only [3] or [1, 3] or [2, 3] or [1, 2, 3]",
        ),
        ("sugarhouse", "cap = 5", "only $50,000.00 per player on Ante, Odds and Raise (SH Raise)"),
        ("new-york", "progressive_stake = 5", "new-york allows only $1.00 (NY (k)(1))"),
        ("galaxy", "face_up = true", "its document leaves no choice here"),
    ],
)
def test_errors_say_in_words_what_a_document_allows(
    house: House, shipped: str, option: str, words: str
) -> None:
    mistake = house.only_mistake(f'extends = "{shipped}"\n[options]\n{option}')
    assert words in mistake.reason


# All mistakes at once.


def test_two_mistakes_are_both_reported_with_file_key_and_reason(house: House) -> None:
    first, second = house.mistakes("""
        extends = "new-york"
        [options]
        progressive_stake = "5.00"
        [limits]
        ante = { min = "20.00", max = "10.00" }
    """)
    assert first.key == "options.progressive_stake"
    assert "NY (k)(1)" in first.reason
    assert second.key == "limits.ante"
    assert second.reason == "min is above max"
    for mistake in (first, second):
        assert str(mistake) == f"{house.folder / 'my-house.toml'}: {mistake.key}: {mistake.reason}"


def test_mistakes_of_every_part_of_a_book_are_reported_in_one_run(house: House) -> None:
    assert house.codes("""
        extends = "washington"
        colour = "green"
        [paytables]
        odds = "HH/OW-1"
        pocket_bonus = "HH/PB-2"
        [options]
        rounding = "sideways"
        pocket_raises = [4]
        [limits]
        ante = { min = 0 }
        [[paytable]]
        key = "trips_plus"
        custom = true
        ids = ["Ours"]
        rows = [["flush", "Flush", "-1"]]
    """) == {
        "colour": "unknown_key",
        "paytables.odds": "illegal_combination",
        "bonus.pocket_bonus": "bonus_unfilled",
        "options.rounding": "bad_option",
        "options.pocket_raises": "option_not_open",
        "limits.ante.min": "bad_limit",
        "paytable[1]": "closed_list",
        "paytable[1].rows[1]": "bad_pay",
    }


def test_the_file_is_named_only_for_mistakes_in_it(house: House) -> None:
    path = house.book('extends = "washington"\n[paytables]\npocket_bonus = "HH/PB-2"')
    with pytest.raises(RulesRefused) as refusal:
        table_rules(path, {"odds": "HH/OW-1"}, {"limits": {"ante": {"min": 0}}})
    files = {mistake.key: mistake.file for mistake in refusal.value.mistakes}
    assert files == {"limits.ante.min": "", "paytables.odds": "", "bonus.pocket_bonus": path}


def test_an_unreadable_cell_is_not_also_reported_missing(house: House) -> None:
    assert (
        house.only_mistake(PB_2.replace("pair = 4", "pair = -4")).key == "bonus.pocket_bonus.pair"
    )


def test_a_refused_book_does_not_change_the_shipped_ones(house: House) -> None:
    before = table_rules("galaxy")
    house.mistakes('extends = "galaxy"\n[options]\npocket_raises = [4]')
    after = table_rules("galaxy")
    assert (after.raises, after.book.options) == (before.raises, before.book.options)
