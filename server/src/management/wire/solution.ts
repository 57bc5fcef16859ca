import {
  type Configuration,
  type DeadDelivery,
  limitWords,
  type Pushed,
  type Script,
  type ScriptKey,
  type Solution,
  type Variable,
} from '../../scripting/index.ts'
import type { TestInput, TestResult } from '../../solution-tests/index.ts'
import type { ConfigurationBody } from '../contract/configurations.ts'
import type { VariableBody } from '../contract/environment.ts'
import type { FailureBody } from '../contract/failures/solution.ts'
import type { ScriptBody, ScriptLineBody } from '../contract/scripts.ts'
import type { TestInputBody, TestResultBody } from '../contract/solution-tests.ts'
import type { PushedBody, SolutionBody } from '../contract/solutions.ts'

export function solutionBody(
  solution: Solution,
  behind?: { readonly pending: number; readonly oldestAt: number },
): SolutionBody {
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
    ...(behind && { behind: { pending: behind.pending, oldest_at: behind.oldestAt } }),
    created_at: createdAt,
    updated_at: updatedAt,
  }
}

export function variableBody({ name, description, ...variable }: Variable): VariableBody {
  const { isRequired: required, hasDefault: has_default, isSet: is_set } = variable
  return { name, description, required, has_default, is_set }
}

export function scriptBody({ kind, name, file, source, createdAt, updatedAt }: Script): ScriptBody {
  return { kind, name, file, source, created_at: createdAt, updated_at: updatedAt }
}

/** In a list the text is left out. */
export function scriptLine(script: Script): ScriptLineBody {
  const { source, ...rest } = scriptBody(script)
  return { ...rest, size: Buffer.byteLength(script.source) }
}

export function pushedBody({
  kept,
  project,
  services,
  notes,
  staticFiles,
  ...changes
}: Pushed): PushedBody {
  return {
    added: changes.added.map(keyBody),
    changed: changes.changed.map(keyBody),
    removed: changes.removed.map(keyBody),
    unchanged: changes.unchanged.map(keyBody),
    ...(kept && { kept: kept.map(keyBody) }),
    ...(project && { project }),
    ...(notes && { notes: notes.map(({ file, message }) => ({ file, message })) }),
    services: {
      added: [...services.added],
      changed: [...services.changed],
      unchanged: [...services.unchanged],
    },
    ...(staticFiles && { static_files: staticBody(staticFiles) }),
  }
}

function staticBody({ kept, ...diff }: NonNullable<Pushed['staticFiles']>) {
  return {
    added: [...diff.added],
    changed: [...diff.changed],
    removed: [...diff.removed],
    ...(kept && { kept: [...kept] }),
    missing: [...diff.missing],
  }
}

function keyBody({ kind, name }: ScriptKey): ScriptKey {
  return { kind, name }
}

/** Removes hidden settings. */
export function configurationBody(configuration: Configuration): ConfigurationBody {
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

type WantedBody = { readonly service?: string; readonly script_key?: string }

/**
 * The settings of a service in a body. Fields that the platform adds are left out, so that an
 * answer can be written back.
 */
export function wantedOf<Body extends WantedBody>(body: Body) {
  const { service, script_key: alias, ...rest } = body
  const { id: _i, solution_id: _s, created_at: _c, updated_at: _u, ...settings } = rest as Fields
  return { service: service as Body['service'], alias, body: settings }
}

type Fields = Readonly<Record<string, unknown>>

/** A failure as the API shows it. */
export function failureBody({ argument, ...failure }: DeadDelivery): FailureBody {
  const { id, service, event, error, tries, trackingId, createdAt, failedAt } = failure
  return {
    id,
    service,
    event,
    argument: valueBody(argument) ?? null,
    error,
    tries,
    tracking_id: trackingId,
    created_at: createdAt,
    failed_at: failedAt,
  }
}

/** A value of scripts in JSON. Bytes that are no text are shown in base64. */
export function valueBody(value: unknown): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(valueBody)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, valueBody(one)]))
}

export function parseTestInput({
  others = [],
  data = [],
  filter = '',
  ...body
}: TestInputBody): TestInput {
  const { files, tests, allow_outbound: allowOutbound = false } = body
  return { files, tests, others, data, filter, allowOutbound }
}

export function testResultBody({ file, name, usage, ...result }: TestResult): TestResultBody {
  const { cpuMs, serviceCalls, wallMs } = usage
  const { outcome, error, printed } = result
  return {
    file: file ?? null,
    name: name ?? null,
    outcome,
    usage: { cpu_ms: cpuMs, service_calls: serviceCalls, wall_ms: wallMs },
    ...(error && { error: { text: error.text, trace: [...error.trace] } }),
    printed: printed.map(({ level, text }) => ({ level, text })),
  }
}
