import {
  type AreaFilter,
  type Box,
  boxAround,
  earthMetres,
  type Near,
  readsValues,
} from '../area.ts'

type Add = (value: unknown) => string

/** The columns of a place: degrees north, and degrees east. */
type Columns = readonly [north: string, east: string]

type Condition = (columns: Columns) => string

/**
 * Joins the places of assets `a` that lie in areas, as `place`; empty if no area is asked. A place
 * is fixed, or the newest value of the signal that the asset has as its location. `add` returns the
 * parameter of a value; the first one is the business.
 */
export function areaJoin(area: AreaFilter, add: Add): string {
  const { near, box } = area
  if (near == null && box == null) return ''
  const conditions = [
    ...(box == null ? [] : [inBox(box, add)]),
    ...(near == null ? [] : [inBox(boxAround(near), add), isNear(near, add)]),
  ]
  const all = (columns: Columns) => conditions.map((condition) => condition(columns)).join(' and ')
  const moving = readsValues(area)
    ? `union all
      select m.id, l.latitude, l.longitude
      from assets_latest l
      join assets_signal s on s.key = l.signal_key and s.business_id = $1
      join assets_asset m on m.business_id = $1 and m.location_signal = s.id
      where ${all(['l.latitude', 'l.longitude'])}`
    : ''
  return `join (
      select f.id as asset_id, f.latitude as north, f.longitude as east
      from assets_asset f
      where f.business_id = $1 and ${all(['f.latitude', 'f.longitude'])}
      ${moving}
    ) place on place.asset_id = a.id`
}

function isNear(near: Near, add: Add): Condition {
  const distance = distanceCondition(near, add)
  const metres = add(near.metres)
  return (columns) => `${distance(columns)} <= ${metres}::float8`
}

/** An index has the latitudes; at a pole all meridians meet, and 180 and -180 are one. */
function inBox({ south, west, north, east }: Box, add: Add): Condition {
  const [from, to] = [`${add(south)}::float8`, `${add(north)}::float8`]
  const [left, right] = [`${add(west)}::float8`, `${add(east)}::float8`]
  return ([latitude, longitude]) => {
    const sides = west <= east ? 'and' : 'or'
    const ways = [`${longitude} >= ${left} ${sides} ${longitude} <= ${right}`]
    if (Math.abs(west) === 180 || Math.abs(east) === 180) ways.push(`abs(${longitude}) = 180`)
    if (north === 90) ways.push(`${latitude} = 90`)
    if (south === -90) ways.push(`${latitude} = -90`)
    return `${latitude} between ${from} and ${to} and (${ways.join(' or ')})`
  }
}

/** The metres from a place to that of a joined asset. */
export function distanceTo(near: Near, add: Add): string {
  return distanceCondition(near, add)(['place.north', 'place.east'])
}

/** The metres from a place to another: haversine, which is exact near by. */
function distanceCondition({ latitude, longitude }: Near, add: Add): Condition {
  const [north, east] = [`${add(latitude)}::float8`, `${add(longitude)}::float8`]
  const half = (from: string, to: string) => `sin(radians(${to} - ${from}) / 2) ^ 2`
  return ([toNorth, toEast]) => {
    const across = `cos(radians(${north})) * cos(radians(${toNorth})) * ${half(east, toEast)}`
    const chord = `sqrt(${half(north, toNorth)} + ${across})`
    return `${2 * earthMetres} * asin(least(1, ${chord}))`
  }
}
