import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { allCommands } from '../../../../../cli/src/commands.ts'
import { localCommands } from '../../../../../cli/src/local-commands.ts'
import { commands as serverCommands } from '../../../../src/platform/cli/index.ts'
import { root } from '../../../fixtures/processes/page.ts'

/** The compared lists: the routes of the API, and those that commands of `millrace` call. */
type RouteCoverage = {
  /** The operationIds of docs/reference/openapi.json. */
  readonly operations: readonly string[]
  /** By the names of commands. */
  readonly called: ReadonlyMap<string, readonly string[]>
  /** Routes that no command is to call, each with its reason. */
  readonly without: Readonly<Record<string, string>>
}

/** Compares the API with the command line. Returns a sentence for each fault. */
function faultsOfRoutes({ operations, called, without }: RouteCoverage): string[] {
  const all = new Set([...called.values()].flat())
  const excused = Object.keys(without)
  const list = (where: string, faults: readonly string[]) =>
    faults.map((route) => `${route}: ${where}`)
  return [
    ...[...called].flatMap(([name, routes]) =>
      list(
        `called by millrace ${name}, and no route of the API`,
        routes.filter((one) => !operations.includes(one)),
      ),
    ),
    ...list(
      'called by no command: write one, or give the reason in routesWithoutCommand',
      operations.filter((one) => !all.has(one) && !excused.includes(one)),
    ),
    ...list(
      'called by a command now: take it off routesWithoutCommand',
      excused.filter((one) => all.has(one)),
    ),
    ...list(
      'listed in routesWithoutCommand, and no route of the API',
      excused.filter((one) => !operations.includes(one)),
    ),
  ]
}

const byFolder = 'solution pull and push read and write the scripts of a folder at once'

const byBrowser = 'the console sends a browser to a sign-in provider'

/** Routes that no command calls, with the reason. */
const routesWithoutCommand: Readonly<Record<string, string>> = {
  createFirstAccount: 'a person follows its link in a browser; createBusiness is the command',
  followChanges: 'it says that a page is to read its lists again; commands follow values and logs',
  getOpenApi: 'docs/reference/openapi.json is the same document',
  getHealth: 'asked by monitors, which need no credential',
  deleteScript: byFolder,
  getScript: byFolder,
  putScript: byFolder,
  deleteStaticFile: byFolder,
  listStaticFiles: byFolder,
  putStaticFile: byFolder,
  readReportUrl: 'report url prints such a URL, which any program reads',
  findOidc: byBrowser,
  leaveForOidc: byBrowser,
  returnFromOidc: byBrowser,
  takeOidcSession: byBrowser,
  getSession: 'whoami prints the same and more',
  uploadWorkInstruction: 'GraphQL makes the work instruction to which a program sends its file',
  downloadWorkInstruction: 'GraphQL lists the versions that a program reads',
  replaceConfiguration: 'does the same as updateConfiguration',
  deleteConnectorService: 'connector delete calls deleteConnector, which does the same',
}

type Paths = Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>

describe('the routes of the API and the commands of millrace', () => {
  it('belong together, but for those that are listed', async () => {
    const file = join(root, 'docs', 'reference', 'openapi.json')
    const { paths } = JSON.parse(readFileSync(file, 'utf8')) as { paths: Paths }
    const operations = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    const called = new Map<string, readonly string[]>()
    for (const [name, { load }] of Object.entries(await allCommands())) {
      called.set(name, (await load()).routes)
    }
    const without = routesWithoutCommand
    assert.deepEqual(faultsOfRoutes({ operations, called, without }), [])
  })

  it('are compared in both directions, and so is the list', () => {
    const found = faultsOfRoutes({
      operations: ['called', 'excused', 'stale', 'forgotten'],
      called: new Map([['noun verb', ['called', 'stale', 'misspelt']]]),
      without: { excused: 'a reason', stale: 'another', gone: 'a third' },
    })
    assert.deepEqual(found, [
      'misspelt: called by millrace noun verb, and no route of the API',
      'forgotten: called by no command: write one, or give the reason in routesWithoutCommand',
      'stale: called by a command now: take it off routesWithoutCommand',
      'gone: listed in routesWithoutCommand, and no route of the API',
    ])
  })
})

describe('the commands that run beside the instance', () => {
  it('are those that the command line lists, with their sentences', () => {
    const { start: _start, ...listed } = localCommands
    const own = serverCommands.map(({ name, summary }) => [name, { summary }])
    assert.deepEqual(listed, Object.fromEntries(own))
  })

  it('are no commands of the API as well', async () => {
    const commands = await allCommands()
    const both = Object.keys(localCommands).filter((name) => Object.hasOwn(commands, name))
    assert.deepEqual(both, [])
  })
})
