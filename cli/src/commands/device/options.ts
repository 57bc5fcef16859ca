import type { operations } from '@millrace/client'
import { type Option, UsageError } from '../../command.ts'
import { milliseconds } from '../../input.ts'

const usPerMs = 1_000

export const identityOption = { meaning: 'The identity.', required: true } as const satisfies Option

/** @throws UsageError */
export function tagOf(option: string, text: string): { name: string; value?: string } {
  const [, name = '', value] = /^([^=]+)(?:=(.*))?$/s.exec(text) ?? []
  if (name === '') throw new UsageError(`--${option} is <name> or <name>=<value>`)
  return { name, ...(value !== undefined && { value }) }
}

/** A tag with its value. @throws UsageError */
export function pairOf(option: string, text: string): { name: string; value: string } {
  const { name, value } = tagOf(option, text)
  if (value === undefined) throw new UsageError(`--${option} is <name>=<value>`)
  return { name, value }
}

/** A time as people write it, in microseconds. @throws UsageError */
export const microseconds = (option: string, text: string) => milliseconds(option, text) * usPerMs

/** The end of a window; null for `never`. @throws UsageError */
export const untilOf = (option: string, text: string) =>
  text === 'never' ? null : microseconds(option, text)

/** The devices of a command that may change many: one, those with a tag, or all. */
export const selectionOptions = {
  identity: { meaning: 'One identity; or --tag, or --all.' },
  tag: { meaning: 'All identities with a tag: <name> or <name>=<value>.' },
  all: { meaning: 'All identities.', flag: true },
} as const satisfies Readonly<Record<string, Option>>

type Selection = {
  readonly identity: string | undefined
  readonly tag: string | undefined
  readonly all: boolean
}

/** The same for the API, which refuses none and several. @throws UsageError */
export function selectionOf({ identity, tag, all }: Selection) {
  return {
    ...(identity !== undefined && { identity }),
    ...(tag !== undefined && { tag: tagOf('tag', tag) }),
    ...(all && { all }),
  }
}

type Filter = NonNullable<operations['listIdentities']['parameters']['query']>

type GivenFilter = Readonly<
  Partial<Record<'identity' | 'status' | 'tag' | 'online' | 'address', string | undefined>>
>

/** The filters of lists of identities, as the API has them. @throws UsageError */
export function filterOf({ identity, status, tag, online, address }: GivenFilter) {
  if (online !== undefined && online !== 'yes' && online !== 'no') {
    throw new UsageError('--online is yes or no')
  }
  const { name, value } = tag === undefined ? {} : tagOf('tag', tag)
  return {
    ...(identity !== undefined && { identity }),
    // The API names the statuses where it refuses another.
    ...(status !== undefined && { status: status as NonNullable<Filter['status']> }),
    ...(name !== undefined && { tag: name }),
    ...(value !== undefined && { tag_value: value }),
    ...(online !== undefined && { online: online === 'yes' }),
    ...(address !== undefined && { ipaddress: address }),
  }
}
