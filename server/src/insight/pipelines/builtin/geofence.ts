import type { ConstantInfo } from '@millrace/insight-sdk/protocol'
import { Fault } from '../../../foundation/kernel/index.ts'
import { type GeoPoint, parsePlace } from '../../assets/index.ts'
import type { Constants } from '../types.ts'
import { type Builtin, listIn, numberIn } from './builtin.ts'
import {
  isSustained,
  judging,
  levelConstant,
  levelIn,
  statusOutlets,
  sustainConstant,
} from './levels.ts'

const earthM = 6_371_008.8
const radians = Math.PI / 180
const halfTurn = 180
const cornersOfArea = 3

const inlets = [
  {
    name: 'location',
    primitive_type: 'JSON',
    description: 'An object with `lat` and `lng`, degrees; numbers, or texts of numbers.',
  },
] as const

const applies: ConstantInfo = {
  name: 'applies',
  type: 'string',
  description: 'Where the rule applies.',
  default: 'outside',
  enum: ['outside', 'inside'],
}

/** Metres along the surface of the earth, as a sphere. */
export function distanceM(a: GeoPoint, b: GeoPoint): number {
  const half = (degrees: number) => Math.sin((degrees * radians) / 2) ** 2
  const across = Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * half(b.lng - a.lng)
  return 2 * earthM * Math.asin(Math.min(1, Math.sqrt(half(b.lat - a.lat) + across)))
}

/**
 * Returns whether a place lies in a polygon that is less than half of the earth wide; by its
 * crossings.
 */
export function isInArea({ lat, lng }: GeoPoint, corners: readonly GeoPoint[]): boolean {
  // East of the place, so that an area may lie across the antimeridian.
  const turn = 2 * halfTurn
  const points = corners.map((one) => ({
    y: one.lat - lat,
    x: ((((one.lng - lng + halfTurn) % turn) + turn) % turn) - halfTurn,
  }))
  let isInside = false
  for (const [at, a] of points.entries()) {
    const b = points.at(at - 1) ?? a
    if (a.y > 0 === b.y > 0) continue
    if (a.x + ((b.x - a.x) * -a.y) / (b.y - a.y) > 0) isInside = !isInside
  }
  return isInside
}

function fencing(contains: (constants: Constants, place: GeoPoint) => boolean): Builtin['process'] {
  return judging('geofence', (value, constants) => {
    const place = parsePlace(value)
    if (place === undefined) return 'the value is no location with lat and lng'
    const isInside = contains(constants, place)
    return isInside === (constants.applies === 'inside') ? levelIn(constants) : 0
  })
}

const degrees = (name: string, maximum: number, description: string): ConstantInfo => {
  return { name, type: 'number', description, minimum: -maximum, maximum }
}

const circle: Builtin = {
  group: 'rules',
  insight: {
    id: 'geofence_circle',
    name: 'Geofence around a place',
    description: 'Tells the status of a location by how far it is from a place.',
    type: 'rule',
    constants: [
      degrees('latitude', halfTurn / 2, 'Of the place, degrees.'),
      degrees('longitude', halfTurn, 'Of the place, degrees.'),
      { name: 'radius', type: 'number', description: 'Metres.', default: 100, minimum: 0 },
      applies,
      levelConstant,
      sustainConstant,
    ],
    inlets,
    outlets: statusOutlets,
  },
  isStateful: isSustained,
  check({ latitude, longitude }) {
    if (latitude !== undefined && longitude !== undefined) return
    throw new Fault('invalid_argument', 'Give the latitude and the longitude of the place.')
  },
  process: fencing((constants, place) => {
    const centre = {
      lat: numberIn(constants, 'latitude', 0),
      lng: numberIn(constants, 'longitude', 0),
    }
    return distanceM(centre, place) <= numberIn(constants, 'radius', 0)
  }),
}

function cornersIn(constants: Constants): GeoPoint[] {
  const longitudes = listIn(constants, 'longitudes')
  return listIn(constants, 'latitudes').map((lat, at) => {
    return { lat: Number(lat), lng: Number(longitudes[at]) }
  })
}

const area: Builtin = {
  group: 'rules',
  insight: {
    id: 'geofence_area',
    name: 'Geofence of an area',
    description: 'Tells the status of a location by whether it lies in an area.',
    type: 'rule',
    constants: [
      {
        ...degrees('latitudes', halfTurn / 2, 'Of the corners, in their order.'),
        multiple: true,
      },
      { ...degrees('longitudes', halfTurn, 'Of the corners, in their order.'), multiple: true },
      applies,
      levelConstant,
      sustainConstant,
    ],
    inlets,
    outlets: statusOutlets,
  },
  isStateful: isSustained,
  check(constants) {
    const count = listIn(constants, 'latitudes').length
    if (count >= cornersOfArea && listIn(constants, 'longitudes').length === count) return
    const detail = 'An area has at least 3 corners, and as many longitudes as latitudes.'
    throw new Fault('invalid_argument', detail)
  },
  process: fencing((constants, place) => isInArea(place, cornersIn(constants))),
}

/** Rules of where something is. */
export const geofences: readonly Builtin[] = [circle, area]
