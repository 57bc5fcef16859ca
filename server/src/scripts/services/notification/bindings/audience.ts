import { type Channel, channels } from '../sending/channel.ts'
import { everyTag } from './binding.ts'

/** Bindings of a service with any of the identities and all of the tags. */
export type Audience = {
  readonly solutionId: string
  readonly serviceSid: string
  /** Undefined: whatever their identity. */
  readonly identities: readonly string[] | undefined
  /** Without the implicit ones. */
  readonly tags: readonly string[]
  /** That are left after the implicit tags. */
  readonly channels: readonly Channel[]
}

export function makeAudience(
  solutionId: string,
  asked: {
    readonly serviceSid: string
    readonly identities: readonly string[]
    readonly tags: readonly string[]
  },
): Audience {
  const { serviceSid, identities, tags } = asked
  const implicit = channels.filter((name) => tags.includes(name))
  const isImplicit = (tag: string) => tag === everyTag || channels.some((one) => one === tag)
  return {
    solutionId,
    serviceSid,
    identities: identities.length === 0 ? undefined : identities,
    tags: tags.filter((tag) => !isImplicit(tag)),
    // No binding is of two channels.
    channels: implicit.length === 0 ? channels : implicit.length === 1 ? implicit : [],
  }
}
