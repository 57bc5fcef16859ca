import { limitWords, type Solution } from '../../scripting/index.ts'

/** A solution as the API shows it, which has other names of limits. */
export function solutionBody(
  solution: Solution,
  behind?: { readonly pending: number; readonly oldestAt: number },
) {
  const limits = Object.entries(solution.limits).map(([limit, value]) => {
    return [limitWords[limit as keyof typeof limitWords], value] as const
  })
  return { ...solution, limits: Object.fromEntries(limits), ...(behind && { behind }) }
}

type WantedBody = { readonly service?: string; readonly script_key?: string }

/**
 * The settings of a service in a body. Fields that the platform adds are left out, so that an
 * answer can be written back.
 */
export function wantedOf<Body extends WantedBody>(body: Body) {
  const { service, script_key: alias, ...rest } = body
  const shown = ['id', 'solution_id', 'created_at', 'updated_at', 'change_notes']
  const settings = Object.entries(rest).filter(([name]) => !shown.includes(name))
  return {
    service: service as Body['service'],
    alias,
    body: Object.fromEntries(settings) as Fields,
  }
}

type Fields = Readonly<Record<string, unknown>>

/** A value of scripts in JSON. Bytes that are no text are shown in base64. */
export function valueBody(value: unknown): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(valueBody)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, valueBody(one)]))
}
