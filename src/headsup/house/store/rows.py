"""An append as the rows that it is kept in."""

from headsup.house.store.protocol import Append


def head_row(append: Append) -> dict[str, object]:
    last = append.links[-1].head if append.links else append.after
    lease = append.lease
    return {
        "b_floor": lease.floor,
        "b_owner": lease.owner,
        "b_fence": lease.fence,
        "b_length": append.after.count,
        "b_hash": append.after.hash,
        "new_length": last.count,
        "new_hash": last.hash,
    }


def entry_rows(append: Append) -> list[dict[str, object]]:
    floor = append.lease.floor
    return [
        {"floor": floor, "index": link.index, "hash": link.hash, "entry": link.text}
        for link in append.links
    ]


def answer_rows(append: Append) -> list[dict[str, object]]:
    floor = append.lease.floor
    return [
        {"floor": floor, "command": one.command, "digest": one.digest, "answer": one.answer}
        for one in append.answers
    ]


def move_rows(append: Append) -> list[dict[str, object]]:
    return [
        {
            "person": move.person,
            "cents": move.cents,
            "reason": move.reason,
            "floor": append.lease.floor,
            "index": move.index or append.after.count,
            "at": append.at,
            "table": move.table,
        }
        for move in append.moves
    ]
