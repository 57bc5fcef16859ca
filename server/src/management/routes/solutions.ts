import { Fault, limits, parseJson } from '../../kernel/index.ts'
import {
  kindOfName,
  parseFiles,
  type Scripting,
  type ScriptKey,
  type ScriptKind,
  scriptKinds,
} from '../../scripting/index.ts'
import { type Call, created, noContent, ok, type Route } from '../legacy-route.ts'
import { bodyObject, type Fields, fieldsOf, invalid, textOf } from '../wire/fields.ts'
import {
  configurationBody,
  parseConfigurationBody,
  pushedBody,
  scriptBody,
  scriptLine,
  solutionBody,
} from '../wire/solution.ts'

type Options = Pick<Scripting, 'solutions' | 'scripts' | 'configurations' | 'folders'>

export const solutionPath = '/api:1/solution/:solution'

/** Solutions: their scripts, their services, and whole folders of both. */
export function solutionRoutes(scripting: Options): Route[] {
  return [
    ...ownRoutes(scripting),
    ...scriptRoutes(scripting),
    ...folderRoutes(scripting),
    ...serviceRoutes(scripting),
  ]
}

const settings = ['name', 'description', 'limits', 'reuse_vm']
const newSolution = (body: Fields) => fieldsOf('body', body, ['id', ...settings])

function ownRoutes({ solutions }: Options): Route[] {
  return [
    {
      path: '/api:1/solution',
      GET: {
        permission: 'Setup',
        async act({ principal }) {
          const all = await solutions.list(principal.businessId)
          return ok({ solutions: all.map(solutionBody) })
        },
      },
      POST: {
        permission: 'Setup',
        async act({ principal, body }) {
          const input = newSolution(bodyObject(body))
          return created(solutionBody(await solutions.create(principal.businessId, input)))
        },
      },
    },
    {
      path: solutionPath,
      GET: {
        permission: 'Setup',
        act: async (call) => ok(solutionBody(await solutions.get(...solutionOf(call)))),
      },
      PATCH: {
        permission: 'Setup',
        async act(call) {
          const part = fieldsOf('body', bodyObject(call.body), settings)
          return ok(solutionBody(await solutions.patch(...solutionOf(call), part)))
        },
      },
      DELETE: {
        permission: 'Setup',
        async act(call) {
          await solutions.remove(...solutionOf(call))
          return noContent()
        },
      },
    },
  ]
}

function scriptRoutes({ scripts }: Options): Route[] {
  return [
    {
      path: `${solutionPath}/script`,
      GET: {
        permission: 'Setup',
        async act(call) {
          return ok({ scripts: (await scripts.list(...solutionOf(call))).map(scriptLine) })
        },
      },
    },
    {
      path: `${solutionPath}/script/:name`,
      GET: {
        permission: 'Setup',
        act: async (call) => ok(scriptBody(await scripts.get(...solutionOf(call), keyOf(call)))),
      },
      PUT: {
        permission: 'Setup',
        async act(call) {
          const { source } = fieldsOf('body', bodyObject(call.body), ['source'])
          return ok(scriptBody(await scripts.put(...solutionOf(call), keyOf(call), source)))
        },
      },
      DELETE: {
        permission: 'Setup',
        async act(call) {
          await scripts.remove(...solutionOf(call), keyOf(call))
          return noContent()
        },
      },
    },
  ]
}

function folderRoutes({ folders }: Options): Route[] {
  return [
    {
      path: `${solutionPath}/pull`,
      GET: {
        permission: 'Setup',
        act: async (call) => ok({ files: await folders.pull(...solutionOf(call)) }),
      },
    },
    {
      path: `${solutionPath}/push`,
      POST: {
        permission: 'Setup',
        takes: 'bytes',
        async act(call) {
          const options = pushOptionsOf(call)
          const { files } = fieldsOf('body', bodyObject(await readJson(call)), ['files'])
          const pushed = await folders.push(...solutionOf(call), parseFiles(files), options)
          return ok(pushedBody(pushed))
        },
      },
    },
  ]
}

function serviceRoutes({ configurations }: Options): Route[] {
  const update = async (call: Call) => {
    const { service, ...wanted } = parseConfigurationBody(bodyObject(call.body))
    const where = [...solutionOf(call), call.params.id ?? ''] as const
    if (service !== undefined) sameService((await configurations.get(...where)).service, service)
    const updated = await configurations.update(...where, { ...wanted, ...breakingOf(call) })
    return ok(configurationBody(updated))
  }
  return [
    {
      path: `${solutionPath}/serviceconfig`,
      GET: {
        permission: 'Setup',
        async act(call) {
          const items = await configurations.list(...solutionOf(call))
          return ok({ items: items.map(configurationBody), total: items.length })
        },
      },
      POST: {
        permission: 'Setup',
        async act(call) {
          const wanted = parseConfigurationBody(bodyObject(call.body))
          const added = await configurations.add(...solutionOf(call), wanted)
          return created(configurationBody(added))
        },
      },
    },
    {
      path: `${solutionPath}/serviceconfig/:id`,
      GET: {
        permission: 'Setup',
        async act(call) {
          const one = await configurations.get(...solutionOf(call), call.params.id ?? '')
          return ok(configurationBody(one))
        },
      },
      PUT: { permission: 'Setup', act: update },
      PATCH: { permission: 'Setup', act: update },
      DELETE: {
        permission: 'Setup',
        async act(call) {
          await configurations.remove(...solutionOf(call), call.params.id ?? '')
          return noContent()
        },
      },
    },
  ]
}

export function solutionOf({ principal, params }: Call): [string, string] {
  return [principal.businessId, params.solution ?? '']
}

/** `?allow_breaking=true`: subscribers may lose what they rely on. */
function breakingOf({ query }: Call): { readonly allowBreaking: boolean } {
  return { allowBreaking: flagOf(fieldsOf('query', query, ['allow_breaking']), 'allow_breaking') }
}

/** `?dry_run=true`: nothing is changed. `?keep=true`: what the folder does not have stays. */
function pushOptionsOf({ query }: Call) {
  const given = fieldsOf('query', query, ['allow_breaking', 'dry_run', 'keep'])
  const allowBreaking = flagOf(given, 'allow_breaking')
  return { allowBreaking, dryRun: flagOf(given, 'dry_run'), keep: flagOf(given, 'keep') }
}

function flagOf(query: Fields, name: string): boolean {
  const { [name]: value = 'false' } = query
  if (value !== 'true' && value !== 'false') throw invalid(name, 'must be true or false')
  return value === 'true'
}

/** Finds by the name alone, or with `?kind=` if the name has the shape of another kind. */
function keyOf({ params: { name = '' }, query }: Call): ScriptKey {
  const { kind } = fieldsOf('query', query, ['kind'])
  if (kind === undefined) return { kind: kindOfName(name), name }
  const known: ScriptKind | undefined = scriptKinds.find((one) => one === kind)
  if (known === undefined) throw invalid('kind', `must be one of ${scriptKinds.join(', ')}`)
  return { kind: known, name }
}

function sameService(has: string, wanted: unknown): void {
  if (textOf('service', wanted) === has) return
  throw invalid('service', `of a configuration cannot change; it is ${has}`)
}

/** A folder may be larger than other bodies. */
async function readJson({ bytes, headers }: Call): Promise<Fields> {
  const most = limits.solutionPushBytesMax
  if (Number(headers['content-length'] ?? 0) > most) throw new Fault('too_large')
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    throw new Fault('wrong_content_type')
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > most) throw new Fault('too_large')
    chunks.push(chunk)
  }
  try {
    return bodyObject(parseJson(Buffer.concat(chunks).toString('utf8')))
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault('malformed_request', 'The body is no JSON.', { cause: error })
  }
}
