import type { EndpointSecurity } from '../../scripting/index.ts'

/** A credential that lets a caller in. */
export type Demand = {
  /** `unknown`: the platform cannot find one, so that nobody is let in. */
  readonly security: Exclude<EndpointSecurity, 'none'> | 'unknown'
  /** True if the platform checks it; else the script checks one that is there. */
  readonly isChecked: boolean
}

/** A credential as the document of a solution describes it. */
export type CredentialScheme = {
  readonly type?: string
  readonly name?: string
  readonly in?: string
  readonly scheme?: string
}

/** A credential as `security` names it. */
type Named = { readonly name: string; readonly isChecked: boolean }

/**
 * Reads `security` of the settings: names of schemes, each alone or with the word `platform` behind
 * it, or as OpenAPI has them, `{apiKey: []}`. Each item lets a caller in.
 */
export function readDemands(
  security: readonly unknown[],
  schemes: readonly CredentialScheme[],
): Demand[] {
  return namedIn(security).map(({ name, isChecked }) => {
    return { security: securityKind(name, schemes), isChecked }
  })
}

function namedIn(security: readonly unknown[]): Named[] {
  return security.map((item) => {
    const names = typeof item === 'string' ? [item] : Object.keys(item ?? {})
    // The platform finds none if several are demanded at once, which all would have to be there.
    const [name = '', word] = names.length === 1 ? (names[0] ?? '').split(/ +/) : []
    return { name, isChecked: word === 'platform' }
  })
}

const kinds: Readonly<Record<string, Demand['security']>> = {
  basic: 'basic',
  bearer: 'bearer',
  apiKey: 'apiKey',
  oauth2: 'bearer',
  openIdConnect: 'bearer',
}

/** A name is that of a scheme of the settings, or its type. */
function securityKind(name: string, schemes: readonly CredentialScheme[]): Demand['security'] {
  if (Object.hasOwn(kinds, name)) return kinds[name] ?? 'unknown'
  const { type = '', scheme = '' } = schemes.find((one) => one.name === name) ?? {}
  const kind = type === 'http' ? scheme : type
  return (Object.hasOwn(kinds, kind) ? kinds[kind] : undefined) ?? 'unknown'
}
