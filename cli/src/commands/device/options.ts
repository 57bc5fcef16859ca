import { UsageError } from '../../command.ts'
import { milliseconds } from '../../input.ts'

const usPerMs = 1_000

export const identityOption = { meaning: 'The identity.', required: true } as const

/** @throws UsageError */
export function parseTag(option: string, text: string): { name: string; value?: string } {
  const [, name = '', value] = /^([^=]+)(?:=(.*))?$/s.exec(text) ?? []
  if (name === '') throw new UsageError(`--${option} is <name> or <name>=<value>`)
  return { name, ...(value !== undefined && { value }) }
}

/** A tag with its value. @throws UsageError */
export function parsePair(option: string, text: string): { name: string; value: string } {
  const { name, value } = parseTag(option, text)
  if (value === undefined) throw new UsageError(`--${option} is <name>=<value>`)
  return { name, value }
}

/** A time as people write it, in microseconds. @throws UsageError */
export const microseconds = (option: string, text: string) => milliseconds(option, text) * usPerMs

/** The end of a window; null for `never`. @throws UsageError */
export const parseUntil = (option: string, text: string) =>
  text === 'never' ? null : microseconds(option, text)

/** The devices of a command that may change many, of which the API refuses none and several. */
export const selectionOptions = {
  identity: { meaning: 'One identity; or --tag, or --all.' },
  tag: { read: parseTag, meaning: 'All identities with a tag: <name> or <name>=<value>.' },
  all: { meaning: 'All identities.', flag: true },
} as const

/** The statuses of identities; the API names them where it refuses another. */
type Status = 'whitelisted' | 'provisioned' | 'locked' | 'reprovision' | 'expired'

type GivenFilter = Readonly<
  Partial<Record<'identity' | 'status' | 'tag' | 'online' | 'address', string | undefined>>
>

/** The filters of lists of identities, as the API has them. @throws UsageError */
export function toFilter({ identity, status, tag, online, address }: GivenFilter) {
  if (online !== undefined && online !== 'yes' && online !== 'no') {
    throw new UsageError('--online is yes or no')
  }
  const { name, value } = tag === undefined ? {} : parseTag('tag', tag)
  return {
    ...(identity !== undefined && { identity }),
    ...(status !== undefined && { status: status as Status }),
    ...(name !== undefined && { tag: name }),
    ...(value !== undefined && { tag_value: value }),
    ...(online !== undefined && { online: online === 'yes' }),
    ...(address !== undefined && { ipaddress: address }),
  }
}
