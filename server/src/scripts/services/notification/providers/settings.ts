import {
  createParser,
  Fault,
  invalidField,
  isJsonObject,
  type Json,
  type JsonObject,
  secretNames,
  type TObject,
  type TString,
  Type,
} from '../../../../foundation/kernel/index.ts'
import { isSid } from '../ids.ts'
import { notificationLimits } from '../limits.ts'
import type { Channel, NotificationJob, ProviderSettings } from '../sending/channel.ts'

/** A text in the settings of a provider. */
const pushSettingCharsMax = 2_000

/** Returns the rule that a text violates (a sentence's end), or undefined. */
type Wrong = (text: string) => string | undefined

const textRule = { rule: 'must be a text', missing: 'must be a text' }

/** A text in the settings of a provider. */
export function setting(title: string, description: string, wrong: Wrong) {
  return checked(Type.String({ title, description, ...textRule }), wrong)
}

/** A text that is encrypted, and never shown; of several lines if it has a type of media. */
export function secretSetting(
  title: string,
  description: string,
  wrong: Wrong,
  contentMediaType?: string,
) {
  const lines = contentMediaType === undefined ? {} : { contentMediaType }
  return checked(Type.String({ title, description, writeOnly: true, ...lines, ...textRule }), wrong)
}

function checked(text: TString, wrong: Wrong) {
  return Type.Refine(
    text,
    (given) => wrong(given) === undefined,
    (given) => `must be ${wrong(given)}`,
  )
}

/** Reads the settings of a provider; `before` is what is stored. @throws Fault invalid_argument */
export type ReadSettings = (
  given: JsonObject,
  before: ProviderSettings | undefined,
) => ProviderSettings

type Texts = { readonly [name: string]: string }
export type ProviderCredential = { readonly shown: Texts; readonly secret: Texts }

const list = 'Credentials'

/**
 * Creates the reader of a provider's settings: its fields, and the same fields again for each
 * CredentialSid that bindings may name. A secret that is left out stays as it was.
 */
export function createSettings(schema: TObject, channel: Channel): ReadSettings {
  const place = `Providers.${channel}`
  const listed = `${place}.${list}`
  const parse = createParser(schema, wording)
  const secrets = new Set(secretNames(schema))

  function readCredential(given: JsonObject, before: Before | undefined, at: string) {
    // A secret is sent to the base URL: who names another one gives the secret again.
    const isSame = (before?.shown.BaseUrl ?? null) === (given.BaseUrl ?? null)
    const kept = Object.entries((isSame && before?.secret) || {}).filter(([name]) =>
      secrets.has(name),
    )
    const set = Object.entries(given).filter(([, value]) => value !== null)
    const texts = inPlace(at, () => parse(Object.fromEntries([...kept, ...set]))) as Texts
    const part = (secret: boolean) =>
      Object.fromEntries(Object.entries(texts).filter(([name]) => secrets.has(name) === secret))
    return { shown: part(false), secret: part(true) }
  }

  return ({ [list]: more, ...own }, before) => {
    const usual = readCredential(own, before, place)
    if (more === undefined || more === null) return usual
    const named = isJsonObject(more) ? Object.entries(more) : []
    if (!isJsonObject(more) || named.length > notificationLimits.pushCredentialsMax) {
      throw invalidField(
        listed,
        `must be an object of at most ${notificationLimits.pushCredentialsMax} entries`,
      )
    }
    const [oldShown, oldSecret] = [before?.shown[list], before?.secret[list]]
    const read = named.map(([sid, given]) => {
      if (!isSid(sid)) throw invalidField(listed, 'has a name that is not a CredentialSid')
      if (!isJsonObject(given)) throw invalidField(`${listed}.${sid}`, 'must be an object')
      const [shown, secret] = [getEntry(oldShown, sid), getEntry(oldSecret, sid)]
      return [sid, readCredential(given, { shown, secret }, `${listed}.${sid}`)] as const
    })
    const part = (which: keyof ProviderCredential) =>
      Object.fromEntries(read.map(([sid, one]) => [sid, one[which]]))
    return {
      shown: { ...usual.shown, [list]: part('shown') },
      secret: { ...usual.secret, [list]: part('secret') },
    }
  }
}

type Before = { readonly shown: JsonObject; readonly secret: JsonObject }

function getEntry(list: Json | undefined, sid: string): JsonObject {
  const entry = isJsonObject(list) ? list[sid] : undefined
  return isJsonObject(entry) ? entry : {}
}

const unknown = 'there is no setting '

const wording = {
  name: 'the settings',
  objectRule: 'must be an object',
  firstIndex: 0,
  unknownField: (name: string) => `${unknown}${name}`,
} as const

/** Runs the work; a refusal of it names the place of the settings. */
function inPlace<Value>(at: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { detail } = error
    const isUnknown = detail.startsWith(unknown)
    if (isUnknown) throw invalidField(at, `has no setting ${detail.slice(unknown.length)}`)
    throw new Fault('invalid_argument', `${at}.${detail}`)
  }
}

/** The usual credential of settings, which many jobs share; settings themselves are stored. */
const usual = new WeakMap<ProviderSettings, ProviderCredential>()

function usualCredential(settings: ProviderSettings): ProviderCredential {
  const known = usual.get(settings)
  if (known !== undefined) return known
  const made = { shown: pickTexts(settings.shown), secret: pickTexts(settings.secret) }
  usual.set(settings, made)
  return made
}

/** The credential that a job is sent with: its binding's own, else the usual one. */
export function findCredential({
  settings,
  credentialSid,
}: NotificationJob): ProviderCredential | undefined {
  const { shown, secret } = settings
  if (credentialSid === undefined) return usualCredential(settings)
  const [open, sealed] = [shown[list], secret[list]]
  const found = isJsonObject(open) ? open[credentialSid] : undefined
  const key = isJsonObject(sealed) ? sealed[credentialSid] : undefined
  if (!isJsonObject(found) || !isJsonObject(key)) return undefined
  return { shown: pickTexts(found), secret: pickTexts(key) }
}

/** The texts among settings. */
export function pickTexts(values: JsonObject): Texts {
  const isText = (pair: [string, Json]): pair is [string, string] => typeof pair[1] === 'string'
  return Object.fromEntries(Object.entries(values).filter(isText))
}

/** A check by a pattern. */
export function matches(pattern: RegExp, what: string): Wrong {
  return (text) => (text.length <= pushSettingCharsMax && pattern.test(text) ? undefined : what)
}

/** A URL under which a provider's paths lie, or to which something is sent. */
export function wrongUrl(text: string): string | undefined {
  const what = 'a URL of http or https, without credentials'
  const url = text.length <= pushSettingCharsMax ? URL.parse(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return what
  return url.username === '' && url.password === '' && url.hash === '' ? undefined : what
}

export const baseUrl = Type.Optional(
  setting('Base URL', 'The URL of the provider, if it is not the usual one.', (text) => {
    return wrongUrl(text) ?? (text.includes('?') ? 'a URL without a query' : undefined)
  }),
)

/** The base in front of a path that begins with a slash. */
export function chooseBaseUrl({ shown }: ProviderCredential, usual: string): string {
  return (shown.BaseUrl ?? usual).replace(/\/+$/, '')
}
