"""A branching track in signs: its roads in groups of spaces, and the spaces beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.rules.views import GraphBoard, SpaceView
from companion.screens.road_plan import detours, graph_of

LINE, HIDDEN, FORK, PLAIN = "|", "!", "<", "·"
"""Before a space: the start line. After it: a token face down, and that the road forks."""
GROUP = 5
"""Spaces that stand together behind the number of the first one."""


def road_groups(board: GraphBoard) -> Iterator[list[str]]:
    """The main road, and then each detour: groups of spaces, to be set in lines."""
    graph = graph_of(board.steps)
    views = {int(view.place): view for view in board.spaces}
    letters, forks = letters_of(board), graph.forks()

    def groups(spaces: Sequence[int]) -> list[str]:
        signs = [space_sign(views[one], letters) + (FORK if one in forks else "") for one in spaces]
        starts = range(0, len(spaces), GROUP)
        return [f"{spaces[at]}: {' '.join(signs[at : at + GROUP])}" for at in starts]

    main = [int(board.spaces[0].place)]
    while graph.after[main[-1]][0] != main[0]:
        main.append(graph.after[main[-1]][0])
    yield groups(main)
    for before, spaces, after in detours(graph, main):
        if spaces:
            first, *others = groups(spaces)
            yield [f"{before} → {first}", *others, f"→ {after}"]
        else:
            yield [f"{before} → {after}"]


def apart_signs(board: GraphBoard) -> list[str]:
    """The spaces beside the track, numbered from the nearest one on."""
    letters = letters_of(board)
    return [f"{n}: {space_sign(one, letters)}" for n, one in enumerate(board.apart, 1)]


def letters_of(board: GraphBoard) -> dict[str, str]:
    """The letter of each piece."""
    return {piece.piece: piece.sign for piece in board.pieces}


def space_sign(view: SpaceView, letters: Mapping[str, str]) -> str:
    """What is on a space: its pieces, else what is printed there, and the tokens face down."""
    pieces = "".join(letters.get(piece, "?") for piece in view.pieces)
    return (LINE if view.line else "") + (pieces or view.sign or PLAIN) + HIDDEN * view.hidden
