import { type NowUs, systemNowUs } from '../clock.ts'
import { defaultLimits, type Limits } from '../limits.ts'
import type { ConfigurationValues } from '../module/declarations.ts'
import type { InsightModule } from '../module/define-module.ts'
import { makeOpenApi } from '../openapi/definition.ts'
import type { Answering } from './answer.ts'
import type { Credentials } from './credentials.ts'
import { States } from './states.ts'

/** The options of every host. */
export type HostOptions = {
  /** Before every path, such as `/vibration`. Default `/`. */
  readonly basePath?: string
  /** In the definition. Default `https`, the only one the protocol allows; TLS ends before us. */
  readonly scheme?: 'https' | 'http'
  /** Host and port in the definition, if clients use others than those listened on. */
  readonly publicHost?: string
  readonly credentials?: Credentials
  /** The values of the module's `configuration`, by name, for `process`. */
  readonly configuration?: ConfigurationValues
  readonly limits?: Partial<Limits>
  readonly nowUs?: NowUs
  /** Receives what callers do not: errors with their stacks, problems without an outlet. */
  readonly onTrouble?: (trouble: unknown) => void
}

/**
 * Makes the function that answers a module's requests; `hostOf` gives its host, where no option
 * does.
 */
export function makeAnswering(
  module: InsightModule,
  options: HostOptions,
  hostOf: () => string,
): Answering {
  const limits = { ...defaultLimits, ...options.limits }
  const basePath = parseBasePath(options.basePath ?? '/')
  const onTrouble = options.onTrouble ?? ((trouble) => console.error(trouble))
  const configuration = checkConfiguration(module, options.configuration ?? {})
  const host = () => options.publicHost ?? hostOf()
  return {
    credentials: options.credentials,
    onTrouble,
    routing: {
      module,
      limits,
      basePath,
      states: new States(limits.linksMax),
      surroundings: {
        nowUs: options.nowUs ?? systemNowUs,
        onProblem: onTrouble,
        configuration,
      },
      definition: () => makeOpenApi(module, { ...options, basePath, host: host() }),
    },
  }
}

/** @throws TypeError naming a value that is required and missing, or that is not declared */
function checkConfiguration(
  module: InsightModule,
  given: ConfigurationValues,
): ConfigurationValues {
  const declared = module.configuration
  const missing = declared.find(({ name, required }) => required && given[name] === undefined)
  if (missing !== undefined) throw new TypeError(`configuration: ${missing.name} is missing`)
  const unknown = Object.keys(given).find((key) => !declared.some(({ name }) => name === key))
  if (unknown !== undefined) throw new TypeError(`configuration: ${unknown} is not declared`)
  return Object.freeze({ ...given })
}

function parseBasePath(given: string): string {
  const path = `/${given.split('/').filter(Boolean).join('/')}`
  if (!/^[\w./~-]+$/.test(path)) throw new TypeError(`basePath ${JSON.stringify(given)} is no path`)
  return path
}
