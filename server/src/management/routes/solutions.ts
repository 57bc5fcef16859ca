import type { Deletion } from '../../deletion/index.ts'
import { invalidField, omitUndefined } from '../../kernel/index.ts'
import {
  kindOfName,
  type Scripting,
  type ScriptKey,
  type ScriptKind,
} from '../../scripting/index.ts'
import {
  addConfiguration,
  getConfiguration,
  getServiceSettings,
  listConfigurations,
  removeConfiguration,
  replaceConfiguration,
  updateConfiguration,
} from '../contract/configurations.ts'
import { changeVariables, listVariables } from '../contract/environment.ts'
import { deleteScript, getScript, listScripts, putScript } from '../contract/scripts.ts'
import { checkSolution } from '../contract/solution-checks.ts'
import {
  createSolution,
  deleteSolution,
  getSolution,
  getSolutionUsage,
  listSolutions,
  pullSolution,
  pushSolution,
  updateSolution,
} from '../contract/solutions.ts'
import { readJson } from '../json-body.ts'
import { Components } from '../openapi/schema.ts'
import { type Call, created, noContent, ok, type Route, route } from '../route.ts'
import {
  configurationBody,
  pushedBody,
  scriptBody,
  scriptLine,
  solutionBody,
  variableBody,
  wantedOf,
} from '../wire/solution.ts'

type Options = Pick<
  Scripting,
  | 'solutions'
  | 'usage'
  | 'behind'
  | 'scripts'
  | 'configurations'
  | 'folders'
  | 'environments'
  | 'check'
>

type Removal = Pick<Deletion, 'removeSolution'>

/** Solutions: their scripts, their services, and whole folders of both. */
export function solutionRoutes(scripting: Options, deletion: Removal): Route[] {
  return [
    ...ownRoutes(scripting, deletion),
    ...scriptRoutes(scripting),
    ...folderRoutes(scripting),
    ...environmentRoutes(scripting),
    ...serviceRoutes(scripting),
  ]
}

/**
 * The routes, where those that change a solution answer once the change is in force in every
 * process of the instance: the next event may come to any of them.
 */
export function inEveryProcess(
  { changesReached }: Pick<Scripting, 'changesReached'>,
  routes: readonly Route[],
): Route[] {
  return routes.map(({ contract, act }) => ({
    contract,
    async act(call) {
      const answer = await act(call)
      if (contract.method !== 'GET') await changesReached()
      return answer
    },
  }))
}

function ownRoutes({ solutions, usage, behind }: Options, deletion: Removal): Route[] {
  return [
    route(listSolutions, async ({ principal: { businessId }, query }) => {
      const all = await solutions.list(businessId, query)
      const waiting = await behind(businessId)
      return ok({ solutions: all.map((one) => solutionBody(one, waiting.get(one.id))) })
    }),
    route(createSolution, async ({ principal, body }) =>
      created(solutionBody(await solutions.create(principal.businessId, body))),
    ),
    route(getSolution, async (call) => {
      const [businessId, id] = solutionOf(call)
      const solution = await solutions.get(businessId, id)
      return ok(solutionBody(solution, (await behind(businessId)).get(id)))
    }),
    route(getSolutionUsage, async (call) => ok({ items: [...(await usage(...solutionOf(call)))] })),
    route(updateSolution, async (call) =>
      ok(solutionBody(await solutions.patch(...solutionOf(call), call.body))),
    ),
    route(deleteSolution, async (call) => {
      await deletion.removeSolution(...solutionOf(call), call.query.confirm)
      return noContent()
    }),
  ]
}

function scriptRoutes({ scripts }: Options): Route[] {
  return [
    route(listScripts, async (call) =>
      ok({ scripts: (await scripts.list(...solutionOf(call))).map(scriptLine) }),
    ),
    route(getScript, async (call) =>
      ok(scriptBody(await scripts.get(...solutionOf(call), keyOf(call)))),
    ),
    route(putScript, async (call) =>
      ok(scriptBody(await scripts.put(...solutionOf(call), keyOf(call), call.body.source))),
    ),
    route(deleteScript, async (call) => {
      await scripts.remove(...solutionOf(call), keyOf(call))
      return noContent()
    }),
  ]
}

function folderRoutes({ folders, check }: Options): Route[] {
  return [
    route(checkSolution, async (call) => {
      const { files, solution } = await readJson(call, checkSolution.details().body)
      const findings = await check(call.principal.businessId, solution, files)
      return ok({ findings: findings.map((one) => ({ ...one })) })
    }),
    route(pullSolution, async (call) => {
      const { files, staticFiles } = await folders.pull(...solutionOf(call))
      const entries = staticFiles.map(({ path, etag }) => ({ path, etag }))
      return ok({ files: [...files], static_files: entries })
    }),
    route(pushSolution, async (call) => {
      const { allow_breaking: allowBreaking, dry_run: dryRun, keep } = call.query
      const { files, static_files: staticFiles } = await readJson(call, pushSolution.details().body)
      const options = omitUndefined({ allowBreaking, dryRun, keep, staticFiles })
      return ok(pushedBody(await folders.push(...solutionOf(call), files, options)))
    }),
  ]
}

function environmentRoutes({ environments }: Options): Route[] {
  return [
    route(listVariables, async (call) =>
      ok({ variables: (await environments.list(...solutionOf(call))).map(variableBody) }),
    ),
    route(changeVariables, async (call) => {
      const variables = await environments.change(...solutionOf(call), call.body.values)
      return ok({ variables: variables.map(variableBody) })
    }),
  ]
}

function serviceRoutes({ configurations }: Options): Route[] {
  return [
    route(listConfigurations, async (call) => {
      const items = await configurations.list(...solutionOf(call))
      return ok({ items: items.map(configurationBody), total: items.length })
    }),
    route(addConfiguration, async (call) => {
      const added = await configurations.add(...solutionOf(call), wantedOf(call.body))
      return created(configurationBody(added))
    }),
    route(getConfiguration, async (call) => {
      const one = await configurations.get(...solutionOf(call), call.params.id)
      return ok(configurationBody(one))
    }),
    route(getServiceSettings, async (call) => {
      const one = await configurations.get(...solutionOf(call), call.params.id)
      const contract = await configurations.settingsOf(one)
      return ok({
        schema: contract === undefined ? null : new Components().describe(contract.schema()),
        values: one.parameters,
        secrets_set: [...(contract?.secretsOf(one) ?? [])],
        has_triggers: contract?.hasTriggers ?? true,
      })
    }),
    ...[replaceConfiguration, updateConfiguration].map((contract) =>
      route(contract, async (call) => {
        const { service, ...wanted } = wantedOf(call.body)
        const where = [...solutionOf(call), call.params.id] as const
        if (service !== undefined) {
          refuseOther((await configurations.get(...where)).service, service)
        }
        const allowBreaking = call.query.allow_breaking === true
        const updated = await configurations.update(...where, { ...wanted, allowBreaking })
        return ok(configurationBody(updated))
      }),
    ),
    route(removeConfiguration, async (call) => {
      await configurations.remove(...solutionOf(call), call.params.id)
      return noContent()
    }),
  ]
}

type OfSolution = Pick<Call, 'principal'> & { readonly params: { readonly solution?: string } }

/** The business and the solution of a call, as scripting's functions take them. */
export function solutionOf({ principal, params }: OfSolution): [string, string] {
  return [principal.businessId, params.solution ?? '']
}

/** Finds by the name alone, or by `kind` if the name has the shape of another one. */
function keyOf(call: {
  readonly params: { readonly name: string }
  readonly query: { readonly kind?: ScriptKind }
}): ScriptKey {
  const { name } = call.params
  const { kind = kindOfName(name) } = call.query
  return { kind, name }
}

function refuseOther(has: string, wanted: string): void {
  if (wanted === has) return
  throw invalidField('service', `of a configuration cannot change; it is ${has}`)
}
