import { Fault } from '../../../foundation/kernel/index.ts'
import type { Resources } from '../../provisioning/index.ts'
import { parseStamp } from './stamp.ts'

/** The target of a PUBLISH. */
export type Topic =
  | { readonly kind: 'resource'; readonly alias: string; readonly stamp: number | undefined }
  | { readonly kind: 'batch' }
  | { readonly kind: 'provision'; readonly identity: string }

const resourcePrefix = '$resource/'
const provisionPrefix = '$provision/'
const batchTopic = '$resource.batch'

/**
 * `$resource/<alias>`, `$resource/<alias>/<stamp>`, `$resource.batch` or `$provision/<identity>`.
 * An alias may hold slashes itself: what the connector defines comes first.
 * @throws Fault `malformed_request` for any other topic.
 */
export function parseTopic(topic: string, resources: Resources): Topic {
  if (topic === batchTopic) return { kind: 'batch' }
  const identity = parseIdentity(topic)
  if (identity !== undefined) return { kind: 'provision', identity }
  if (!topic.startsWith(resourcePrefix)) throw noTopic()
  return parseResource(topic.slice(resourcePrefix.length), resources)
}

function parseResource(name: string, resources: Resources): Topic {
  if (name === '') throw noTopic()
  if (resources.has(name)) return { kind: 'resource', alias: name, stamp: undefined }
  const slash = name.lastIndexOf('/')
  const stamp = slash > 0 ? parseStamp(name.slice(slash + 1)) : undefined
  if (stamp === undefined) return { kind: 'resource', alias: name, stamp }
  return { kind: 'resource', alias: name.slice(0, slash), stamp }
}

/** The identity that an activation is for; undefined where the topic is another one. */
export function parseIdentity(topic: string): string | undefined {
  return topic.startsWith(provisionPrefix) ? topic.slice(provisionPrefix.length) : undefined
}

/** The topic to which a set value is pushed: `$resource/<alias>/<µs>`. */
export function pushTopic(alias: string, at: number): string {
  return `${resourcePrefix}${alias}/${at}`
}

/** The topic of the answer to a refused activation; who subscribes gets the reason. */
export const refusalTopic = '$provision.refused'

/** The topic of a token, the same as that of the activation. */
export function tokenTopic(identity: string): string {
  return `${provisionPrefix}${identity}`
}

/**
 * Returns true if a subscription is granted. It changes nothing, since devices are sent what is
 * theirs without one; but clients exist that cannot go on without.
 */
export function isSubscribable(topic: string): boolean {
  if (topic.includes('+') || topic.includes('#')) return false
  return (
    topic === batchTopic ||
    topic === refusalTopic ||
    topic.startsWith(resourcePrefix) ||
    topic.startsWith(provisionPrefix)
  )
}

function noTopic(): Fault {
  return new Fault('malformed_request', 'Devices may not publish to this topic.')
}
