import { posix } from 'node:path'
import { findPlace, wings } from './modules.ts'
import type { Remaining } from './remaining.ts'
import { findNodes, isNode, readImports, readName } from './tree/syntax.ts'
import {
  type Check,
  type Files,
  type Finding,
  isTest,
  lineAt,
  matching,
  shippedSources,
  splitLines,
} from './tree/tree.ts'

const folderFilesMax = 25

/** A folder's listing fits on a screen. Migrations and tests of the server are not counted. */
export function foldersAreSmall(most: Remaining): Check {
  return (files) => {
    const counts = new Map<string, number>()
    for (const [file] of matching(
      files,
      /^(server\/(src|test\/(fixtures|scenario|spec|tidy))|console\/app)\/.*\.(tsx?|sql)$/,
    )) {
      const folder = posix.dirname(file)
      if (/^server\/src\/.*\.test\.ts$/.test(file) || folder.endsWith('/migrations')) continue
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
    return [...counts].flatMap(([file, count]) => {
      const allowed = most[file] ?? folderFilesMax
      const message = `${count} files in the folder, ${allowed} at most`
      return count <= allowed ? [] : [{ file, line: 1, message }]
    })
  }
}

/** A file of the server lies in a module of a wing; only `main.ts` and the wings' pages do not. */
export const filesLieInModules: Check = (files) =>
  matching(files, /^server\/src\//).flatMap(([file]) => {
    const isPage = wings.some((wing) => file === `server/src/${wing}/README.md`)
    if (isPage || findPlace(file).kind !== 'unknown') return []
    return [{ file, line: 1, message: 'the file lies in no module' }]
  })

export const smallFileLines = 30

/** Small files that are read by themselves, each with the reason. */
export const standAlone: Readonly<Record<string, string>> = {
  'server/src/log/changes/topics.ts': 'the list of topics, which others read from the contract',
  'server/src/platform/cli/config.ts': 'each command is a file',
  'server/src/api/graphql/http/bytes.ts': 'how texts become bytes, apart from HTTP',
  'server/src/devices/provisioning/credentials/auth-type.ts':
    'connectors and identities import each other else',
  'server/src/scripts/scripting/lua/wasm/webassembly.d.ts':
    'it declares types of the language, without imports',
  'server/src/scripts/scripting/runtime/thread/worker.ts': 'a thread begins with it',
  'server/src/scripts/services/interface/errors.ts': 'the refusals of the service, in one list',
  'server/src/scripts/services/notification/ids.ts': 'the forms of all ids that others receive',
  'server/src/scripts/services/notification/providers/jwt.ts': 'two providers sign with it',
}

/**
 * Files under 30 lines are rare: what is read together lies together. The index of a module, its
 * SQL, its dependencies, its limits, and what has a test of its own have files of their own
 * whatever their size, and tests are not counted.
 */
export function smallFilesAreRare(most: Remaining): Check {
  return (files) => {
    const small = matching(files, /^server\/src\/.*\.ts$/).filter(
      ([file, text]) =>
        !isTest(file) &&
        !/\/(index|store|options|limits)\.ts$/.test(file) &&
        !files.has(file.replace(/ts$/, 'test.ts')) &&
        !Object.hasOwn(standAlone, file) &&
        splitLines(text).length < smallFileLines,
    )
    const faults = small.map(([file]) => ({ file, line: 1 }))
    return overflow(faults, most, moduleName, `files have fewer than ${smallFileLines} lines`)
  }
}

/** An object literal is not spread into an object literal: that only makes a list look short. */
export function noLiteralIsSpread(most: Remaining): Check {
  return (files) => {
    const spreads = matching(files, /^server\/.*\.ts$/).flatMap(([file, text]) =>
      findNodes(file, text, 'ObjectExpression').flatMap(({ properties }) =>
        (properties as { type: string; argument?: unknown; start: number }[])
          .filter(({ type, argument }) => type === 'SpreadElement' && isLiteral(argument))
          .map(({ start }) => ({ file, line: lineAt(text, start) })),
      ),
    )
    return overflow(spreads, most, folderName, 'object literals spread into an object literal')
  }
}

const isLiteral = (value: unknown) => isNode(value) && value.type === 'ObjectExpression'
const folderName = (file: string) => file.split('/').slice(0, 2).join('/')

/** Files do not import each other in a circle, imports of types counted. */
export function noCircles(most: Remaining): Check {
  return (files) => {
    const circles = findCircles(importGraph(files)).flat()
    const faults = circles.map((file) => ({ file, line: 1 }))
    return overflow(faults, most, moduleName, 'files import each other in circles')
  }
}

function moduleName(file: string): string {
  const place = findPlace(file)
  return place.kind === 'module' ? place.module.name : 'main.ts'
}

type Fault = Omit<Finding, 'message'>

function overflow(
  faults: readonly Fault[],
  most: Remaining,
  keyOf: (file: string) => string,
  what: string,
): Finding[] {
  return [...Map.groupBy(faults, ({ file }) => keyOf(file))].flatMap(([key, found]) => {
    const allowed = most[key] ?? 0
    if (found.length <= allowed) return []
    const message = `${key}: ${found.length} ${what}, ${allowed} at most`
    return (allowed === 0 ? found : found.slice(-1)).map((fault) => ({ ...fault, message }))
  })
}

type Graph = ReadonlyMap<string, readonly string[]>

function importGraph(files: Files): Graph {
  const sources = matching(files, /^server\/src\/.*\.ts$/).filter(([file]) => !isTest(file))
  return new Map(
    sources.map(([file, text]) => [
      file,
      readImports(file, text).flatMap(({ specifier = '' }) =>
        specifier.startsWith('.') ? [posix.join(posix.dirname(file), specifier)] : [],
      ),
    ]),
  )
}

/** The strongly connected components of more than one file (Tarjan 1972). */
function findCircles(graph: Graph): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const visit = (file: string) => {
    const own = index.size
    index.set(file, own)
    low.set(file, own)
    stack.push(file)
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue
      if (!index.has(next)) visit(next)
      else if (!stack.includes(next)) continue
      low.set(file, Math.min(low.get(file) ?? own, low.get(next) ?? own))
    }
    if (low.get(file) !== own) return
    const circle = stack.splice(stack.indexOf(file))
    if (circle.length > 1) circles.push(circle.sort())
  }
  for (const file of graph.keys()) if (!index.has(file)) visit(file)
  return circles
}

/** A name of an exported type or class means one thing: two modules do not declare the same. */
export function typeNamesAreUnique(most: Remaining): Check {
  return (files) => {
    const declared = shippedSources(files).flatMap(([file, text]) =>
      exportedTypes(file, text).map((one) => ({ ...one, file, module: moduleName(file) })),
    )
    return [...Map.groupBy(declared, ({ name }) => name)].flatMap(([name, found]) => {
      const several = Map.groupBy(found, ({ module }) => module)
      if (several.size <= (most[name] ?? 1)) return []
      const message = `the type ${name} is declared by ${[...several.keys()].join(', ')}`
      return found.slice(-1).map(({ file, line }) => ({ file, line, message }))
    })
  }
}

const composition = /(^server\/src\/main|\/create)\.ts$/

/**
 * A file that composes a module or the platform (`main.ts`, `create.ts`) exports functions alone:
 * its types lie in a file that others import without what is composed.
 */
export function compositionExportsNoTypes(most: Remaining): Check {
  return (files) => {
    const types = shippedSources(files)
      .filter(([file]) => composition.test(file))
      .flatMap(([file, text]) => exportedTypes(file, text).map(({ line }) => ({ file, line })))
    return overflow(types, most, moduleName, 'types are exported by files that compose')
  }
}

function exportedTypes(file: string, text: string): { name: string; line: number }[] {
  const kinds = new Set(['TSTypeAliasDeclaration', 'TSInterfaceDeclaration', 'ClassDeclaration'])
  return findNodes(file, text, 'ExportNamedDeclaration').flatMap(({ declaration, start }) => {
    if (!isNode(declaration) || !kinds.has(declaration.type)) return []
    return [{ name: readName(declaration.id) ?? '', line: lineAt(text, start) }]
  })
}
