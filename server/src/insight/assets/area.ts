import { invalid, isJsonObject, parseDecimal } from '../../foundation/kernel/index.ts'
import type { View } from '../../people/groups/index.ts'

/** The reader of signals' values. */
export type ValueReader = { readonly view: View; readonly permissions: ReadonlySet<string> }

/** For others signals have no values. */
export function readsValues({ permissions }: Partial<ValueReader>): boolean {
  return permissions?.has('View Asset Data') === true
}

/** A place on the earth and all within so many metres of it. */
export type Near = {
  /** Degrees north, and degrees east. */
  readonly latitude: number
  readonly longitude: number
  readonly metres: number
}

/** Between two parallels, and eastward from `west` to `east`, also across the 180th meridian. */
export type Box = {
  readonly south: number
  readonly west: number
  readonly north: number
  readonly east: number
}

/** Areas in which an asset's location lies. */
export type AreaFilter = {
  readonly near?: Near | null | undefined
  readonly box?: Box | null | undefined
  /**
   * The permissions of the reader. Locations that are signals count for those who may read values.
   */
  readonly permissions?: ReadonlySet<string>
}

/** The mean radius of the earth, which is taken for a sphere: distances are right to 0.6 %. */
export const earthMetres = 6_371_008.8
const farthestMetres = Math.PI * earthMetres
const halfTurn = 180
/** Far less than a millimetre: what rounding may take from a limit. */
const roundingDegrees = 1e-9

/** @throws Fault invalid_argument for what is no place or no area. */
export function checkArea({ near, box }: AreaFilter): void {
  if (near != null) {
    checkDegrees('near', near.latitude, near.longitude)
    if (!(near.metres >= 0 && near.metres <= Math.ceil(farthestMetres))) {
      throw invalid(`near: metres are from 0 to ${Math.ceil(farthestMetres)}`)
    }
  }
  if (box != null) {
    checkDegrees('box', box.south, box.west)
    checkDegrees('box', box.north, box.east)
    if (box.south > box.north) throw invalid('box: south is at most north')
  }
}

function checkDegrees(what: string, latitude: number, longitude: number): void {
  if (!(Math.abs(latitude) <= halfTurn / 2)) {
    throw invalid(`${what}: a latitude is from -90 to 90 degrees`)
  }
  if (!(Math.abs(longitude) <= halfTurn)) {
    throw invalid(`${what}: a longitude is from -180 to 180 degrees`)
  }
}

/** The least box that has all places within a distance; it has all meridians at a pole. */
export function boxAround({ latitude, longitude, metres }: Near): Box {
  const angle = metres / earthMetres
  const away = toDegrees(angle) + roundingDegrees
  const south = Math.max(latitude - away, -halfTurn / 2)
  const north = Math.min(latitude + away, halfTurn / 2)
  const sine = Math.sin(angle) / Math.cos(toRadians(latitude))
  const hasPole = latitude - away <= -halfTurn / 2 || latitude + away >= halfTurn / 2
  if (hasPole || !(sine < 1)) return { south, north, west: -halfTurn, east: halfTurn }
  const aside = toDegrees(Math.asin(sine)) + roundingDegrees
  return { south, north, west: wrapped(longitude - aside), east: wrapped(longitude + aside) }
}

function wrapped(longitude: number): number {
  if (longitude < -halfTurn) return longitude + 2 * halfTurn
  return longitude > halfTurn ? longitude - 2 * halfTurn : longitude
}

function toDegrees(radians: number): number {
  return (radians * halfTurn) / Math.PI
}

function toRadians(degrees: number): number {
  return (degrees * Math.PI) / halfTurn
}

/** A place on the earth as a value of a signal has it, in degrees. */
export type GeoPoint = { readonly lat: number; readonly lng: number }

/** Returns the place, or nothing if the value is none. Its degrees may be texts of numbers. */
export function parsePlace(value: unknown): GeoPoint | undefined {
  if (!isJsonObject(value)) return undefined
  const [lat, lng] = [parseNumber(value.lat), parseNumber(value.lng)]
  const isPlace = Math.abs(lat) <= halfTurn / 2 && Math.abs(lng) <= halfTurn
  return isPlace ? { lat, lng } : undefined
}

function parseNumber(value: unknown): number {
  if (typeof value === 'string') return parseDecimal(value) ?? Number.NaN
  return typeof value === 'number' ? value : Number.NaN
}
