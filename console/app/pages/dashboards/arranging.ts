/** The place of a panel, in columns and rows from 0. */
export type Place = {
  readonly column: number
  readonly row: number
  readonly width: number
  readonly height: number
}

/** Something that lies on the grid. */
type Placed = Place & { readonly id: string }

export const columns = 12
const heightMax = 50
const rowMax = 949

/** Sets a panel at a place; what lies there, or comes to lie under it, moves down. */
export function arrange<Panel extends Placed>(
  panels: readonly Panel[],
  id: string,
  place: Place,
): Panel[] {
  const moved = panels.find((one) => one.id === id)
  if (moved === undefined) return [...panels]
  const settled: Panel[] = [{ ...moved, ...clamped(place) }]
  const others = panels.filter((one) => one.id !== id).toSorted(byPlace)
  for (const other of others) settled.push(lowered(other, settled))
  const places = new Map(settled.map((one) => [one.id, one]))
  return panels.map((one) => places.get(one.id) ?? one)
}

/** In the order in which they are read. */
export function byPlace(one: Place, other: Place): number {
  return one.row - other.row || one.column - other.column
}

/** The first place that is free for a panel of a size. */
export function freePlace(panels: readonly Placed[], width: number, height: number): Place {
  for (let row = 0; ; row += 1) {
    for (let column = 0; column + width <= columns; column += 1) {
      const place = { column, row, width, height }
      if (!panels.some((one) => overlaps(one, place))) return place
    }
  }
}

function clamped({ column, row, width, height }: Place): Place {
  const across = Math.min(Math.max(width, 1), columns)
  return {
    column: Math.min(Math.max(column, 0), columns - across),
    row: Math.min(Math.max(row, 0), rowMax),
    width: across,
    height: Math.min(Math.max(height, 1), heightMax),
  }
}

function lowered<Panel extends Placed>(panel: Panel, settled: readonly Panel[]): Panel {
  let place = panel
  for (;;) {
    const under = settled.find((one) => overlaps(one, place))
    if (under === undefined) return place
    place = { ...place, row: under.row + under.height }
  }
}

function overlaps(one: Place, other: Place): boolean {
  return (
    one.column < other.column + other.width &&
    other.column < one.column + one.width &&
    one.row < other.row + other.height &&
    other.row < one.row + one.height
  )
}
