import {
  type Configuration,
  limitWords,
  type Pushed,
  type Script,
  type ScriptKey,
  type Solution,
  type WantedService,
} from '../../scripting/index.ts'
import type { Fields } from './fields.ts'

export function solutionBody(solution: Solution): Fields {
  const { id, name, description, version, reuseVm, createdAt, updatedAt } = solution
  const limits = Object.entries(solution.limits).map(([limit, value]) => {
    return [limitWords[limit as keyof typeof limitWords], value] as const
  })
  return {
    id,
    name,
    description,
    version,
    limits: Object.fromEntries(limits),
    reuse_vm: reuseVm,
    created_at: createdAt,
    updated_at: updatedAt,
  }
}

export function scriptBody({ kind, name, file, source, createdAt, updatedAt }: Script): Fields {
  return { kind, name, file, source, created_at: createdAt, updated_at: updatedAt }
}

/** In a list the text is left out. */
export function scriptLine(script: Script): Fields {
  const { source, ...rest } = scriptBody(script)
  return { ...rest, size: Buffer.byteLength(script.source) }
}

export function pushedBody({ services, project, ...keys }: Pushed): Fields {
  const names = Object.entries<readonly ScriptKey[]>(keys).map(([what, those]) => {
    return [what, those.map(({ kind, name }) => ({ kind, name }))] as const
  })
  return { ...Object.fromEntries(names), services, ...(project === undefined ? {} : { project }) }
}

/** Removes hidden settings. */
export function configurationBody(configuration: Configuration): Fields {
  const { id, solutionId, service, alias, parameters, triggers, createdAt, updatedAt } =
    configuration
  return {
    id,
    solution_id: solutionId,
    service,
    script_key: alias,
    parameters,
    triggers,
    created_at: createdAt,
    updated_at: updatedAt,
  }
}

/**
 * Fields that the platform adds are not validated by a service, so that an answer can be written
 * back.
 */
export function parseConfigurationBody(fields: Fields): WantedService {
  const { service, script_key: alias, ...rest } = fields
  const { id: _i, solution_id: _s, created_at: _c, updated_at: _u, ...body } = rest
  return { service, body, ...(alias === undefined ? {} : { alias }) }
}
