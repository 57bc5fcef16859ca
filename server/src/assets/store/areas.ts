import { type AreaFilter, type Box, boxAround, earthMetres, type Near } from '../area.ts'

type Add = (value: unknown) => string

/** The conditions that a fixed location lies in areas; `add` returns the parameter of a value. */
export function areaConditions({ near, box }: AreaFilter, add: Add): string[] {
  return [
    ...(box == null ? [] : boxConditions(box, add)),
    ...(near == null ? [] : nearConditions(near, add)),
  ]
}

function nearConditions(near: Near, add: Add): string[] {
  const within = `${distanceTo(near, add)} <= ${add(near.metres)}::float8`
  return [...boxConditions(boxAround(near), add), within]
}

/** An index has the latitudes; at a pole all meridians meet, and 180 and -180 are one. */
function boxConditions({ south, west, north, east }: Box, add: Add): string[] {
  const latitudes = `a.latitude between ${add(south)}::float8 and ${add(north)}::float8`
  const from = `a.longitude >= ${add(west)}::float8`
  const to = `a.longitude <= ${add(east)}::float8`
  const ways = [`${from} ${west <= east ? 'and' : 'or'} ${to}`]
  if (Math.abs(west) === 180 || Math.abs(east) === 180) ways.push('abs(a.longitude) = 180')
  if (north === 90) ways.push('a.latitude = 90')
  if (south === -90) ways.push('a.latitude = -90')
  return [latitudes, `(${ways.join(' or ')})`]
}

/** The metres from a place to an asset's fixed location: haversine, which is exact near by. */
export function distanceTo({ latitude, longitude }: Near, add: Add): string {
  const [north, east] = [`${add(latitude)}::float8`, `${add(longitude)}::float8`]
  const half = (from: string, to: string) => `sin(radians(${to} - ${from}) / 2) ^ 2`
  const across = `cos(radians(${north})) * cos(radians(a.latitude)) * ${half(east, 'a.longitude')}`
  const chord = `sqrt(${half(north, 'a.latitude')} + ${across})`
  return `${2 * earthMetres} * asin(least(1, ${chord}))`
}
