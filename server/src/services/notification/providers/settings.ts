import { Fault, isJsonObject, type Json, type JsonObject, limits } from '../../../kernel/index.ts'
import { isSid } from '../ids.ts'
import type { Job, ProviderSettings } from '../sending/channel.ts'

/** One text in the settings of a provider. */
export type Field = {
  readonly name: string
  readonly kind: 'needed' | 'optional' | 'secret'
  /** Returns the rule that a text violates (a sentence's end), or undefined. */
  wrong(text: string): string | undefined
}

type Texts = { readonly [name: string]: string }
export type Credential = { readonly shown: Texts; readonly secret: Texts }

const list = 'Credentials'

/**
 * Reads the settings of a provider: its fields, and the same fields again for each CredentialSid
 * that bindings may name. A secret that is left out stays as it was.
 * @throws Fault invalid_argument
 */
export function readSettings(
  fields: readonly Field[],
  { [list]: more, ...own }: JsonObject,
  before: ProviderSettings | undefined,
): ProviderSettings {
  const usual = readFields(fields, own, before?.secret, '')
  if (more === undefined || more === null) return usual
  const named = isJsonObject(more) ? Object.entries(more) : []
  if (!isJsonObject(more) || named.length > limits.pushCredentialsMax) {
    throw refused(`${list} must be an object with at most ${limits.pushCredentialsMax} entries`)
  }
  const old = before?.secret[list]
  const read = named.map(([sid, given]) => {
    if (!isSid(sid)) throw refused(`a name in ${list} must be a CredentialSid`)
    if (!isJsonObject(given)) throw refused(`${list}.${sid} must be an object`)
    const known = isJsonObject(old) && isJsonObject(old[sid]) ? old[sid] : undefined
    return [sid, readFields(fields, given, known, `${list}.${sid}.`)] as const
  })
  const part = (which: keyof Credential) =>
    Object.fromEntries(read.map(([sid, one]) => [sid, one[which]]))
  return {
    shown: { ...usual.shown, [list]: part('shown') },
    secret: { ...usual.secret, [list]: part('secret') },
  }
}

function readFields(
  fields: readonly Field[],
  given: JsonObject,
  before: JsonObject | undefined,
  at: string,
): Credential {
  const stranger = Object.keys(given).find((name) => !fields.some((one) => one.name === name))
  if (stranger !== undefined) throw refused(`there is no setting ${at}${stranger.slice(0, 40)}`)
  const read = fields.flatMap(({ name, kind, wrong }) => {
    const old = kind === 'secret' ? before?.[name] : undefined
    const value = given[name] ?? old
    if (value === undefined && kind === 'optional') return []
    const problem = typeof value === 'string' ? wrong(value) : 'a text'
    if (problem !== undefined) throw refused(`${at}${name} must be ${problem}`)
    return [{ name, kind, value: value as string }]
  })
  const part = (secret: boolean) =>
    Object.fromEntries(
      read.filter((one) => (one.kind === 'secret') === secret).map((one) => [one.name, one.value]),
    )
  return { shown: part(false), secret: part(true) }
}

/** The usual credential of settings, which many jobs share. */
const usual = new WeakMap<ProviderSettings, Credential>()

function usualOf(settings: ProviderSettings): Credential {
  const known = usual.get(settings)
  if (known !== undefined) return known
  const made = { shown: textsOf(settings.shown), secret: textsOf(settings.secret) }
  usual.set(settings, made)
  return made
}

/** The credential that a job is sent with: its binding's own, else the usual one. */
export function credentialOf({ settings, credentialSid }: Job): Credential | undefined {
  const { shown, secret } = settings
  if (credentialSid === undefined) return usualOf(settings)
  const [open, sealed] = [shown[list], secret[list]]
  const found = isJsonObject(open) ? open[credentialSid] : undefined
  const key = isJsonObject(sealed) ? sealed[credentialSid] : undefined
  if (!isJsonObject(found) || !isJsonObject(key)) return undefined
  return { shown: textsOf(found), secret: textsOf(key) }
}

/** The texts among settings. */
export function textsOf(values: JsonObject): Texts {
  const isText = (pair: [string, Json]): pair is [string, string] => typeof pair[1] === 'string'
  return Object.fromEntries(Object.entries(values).filter(isText))
}

/** A check by a pattern. */
export function matches(pattern: RegExp, what: string): Field['wrong'] {
  return (text) =>
    text.length <= limits.pushSettingCharsMax && pattern.test(text) ? undefined : what
}

/** A URL under which a provider's paths lie, or to which something is sent. */
export function wrongUrl(text: string): string | undefined {
  const what = 'a URL of http or https, without credentials'
  const url = text.length <= limits.pushSettingCharsMax ? URL.parse(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return what
  return url.username === '' && url.password === '' && url.hash === '' ? undefined : what
}

export const baseUrl: Field = {
  name: 'BaseUrl',
  kind: 'optional',
  wrong: (text) => wrongUrl(text) ?? (text.includes('?') ? 'a URL without a query' : undefined),
}

/** The base in front of a path that begins with a slash. */
export function baseOf({ shown }: Credential, usual: string): string {
  return (shown.BaseUrl ?? usual).replace(/\/+$/, '')
}

function refused(rule: string): Fault {
  return new Fault('invalid_argument', `Providers: ${rule}`)
}
