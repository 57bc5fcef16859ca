import { posix } from 'node:path'
import {
  findPlace,
  innerIndexes,
  insightProtocol,
  type Module,
  packageOwners,
  sdkEntries,
  thread,
  wings,
} from './modules.ts'
import { type Import, readImports } from './tree/syntax.ts'
import {
  type Check,
  type Files,
  type Finding,
  isTest,
  matching,
  shippedSources,
} from './tree/tree.ts'

const code = /\.(ts|tsx|mjs)$/

function resolved(file: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : undefined
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** Wings, then modules, import downhill only, and only another module's index.ts. */
export const importsRunDownhill: Check = (files) =>
  shippedSources(files).flatMap(([file, text]) =>
    readImports(file, text).flatMap((one) => {
      const message = uphill(file, one)
      return message === undefined ? [] : [{ file, line: one.line, message }]
    }),
  )

function uphill(file: string, one: Import): string | undefined {
  const from = findPlace(file)
  if (from.kind === 'unknown') return `${from.name} is not in the table of modules`
  const target = one.specifier === undefined ? undefined : resolved(file, one.specifier)
  if (target === undefined) return undefined
  if (!target.startsWith('server/')) return `${target} lies in another workspace`
  if (target.startsWith('server/test/')) return 'what is shipped must not import tests'
  if (from.kind === 'root') return intoModule(target)
  if (from.folder !== '' && target.startsWith(from.folder)) return undefined
  const to = target.startsWith('server/src/') ? findPlace(target) : undefined
  const refused = `${from.module.name} may not import`
  if (to?.kind !== 'module') return `${refused} ${target}`
  if (!isBelow(from.module, to.module)) {
    return `the wing ${from.module.wing} may not import the wing ${to.module.wing}`
  }
  if (!mayImport(from.module, to.module, one)) return `${refused} ${to.module.name}`
  return intoModule(target)
}

/** A wing imports itself and the wings above it in the table. */
function isBelow(from: Module, to: Module): boolean {
  return wings.indexOf(from.wing) >= wings.indexOf(to.wing)
}

function mayImport(from: Module, to: Module, one: Import): boolean {
  if (from.mayImport.includes(to.name)) return true
  return one.typeOnly && from.typesOf?.includes(to.name) === true
}

function intoModule(target: string): string | undefined {
  const to = target.startsWith('server/src/') ? findPlace(target) : undefined
  if (to?.kind !== 'module' || to.folder === '' || target === thread.kernel) return undefined
  return target === `${to.folder}index.ts` ? undefined : `import ${to.folder}index.ts instead`
}

/** Tests use public interfaces too; their own module's files are open to unit tests. */
export const testsUsePublicInterfaces: Check = (files) =>
  matching(files, /^server\/.*\.ts$/)
    .filter(([file]) => isTest(file))
    .flatMap(([file, text]) =>
      readImports(file, text).flatMap(({ specifier, line }) => {
        const target = specifier === undefined ? undefined : resolved(file, specifier)
        if (target === undefined || !isInside(target, file)) return []
        return [{ file, line, message: `${target} is inside a module: import its index.ts` }]
      }),
    )

function isInside(target: string, file: string): boolean {
  if (!target.startsWith('server/src/') || innerIndexes.includes(target)) return false
  const to = findPlace(target)
  if (to.kind !== 'module' || to.folder === '' || file.startsWith(to.folder)) return false
  return target !== `${to.folder}index.ts`
}

/** A thread loads its files at each start: it takes the small part of the kernel, not the index. */
export const threadsLoadLittle: Check = (files) => {
  const reached = new Set<string>([thread.entry])
  const found: Finding[] = []
  for (const file of reached) {
    for (const { specifier = '', typeOnly, line } of readImports(file, files.get(file) ?? '')) {
      const target = resolved(file, specifier)
      if (typeOnly || target === undefined) continue
      if (/^server\/src\/[^/]+\/[^/]+\/index\.ts$/.test(target)) {
        found.push({ file, line, message: `a thread would load all of ${target}` })
      } else reached.add(target)
    }
  }
  return found
}

/** An import() must say what it loads, or nobody can tell where it leads. */
export const importsAreConstant: Check = (files) =>
  shippedSources(files)
    .filter(([file]) => !file.startsWith('server/src/foundation/database/embedded/'))
    .flatMap(([file, text]) =>
      readImports(file, text)
        .filter(({ specifier }) => specifier === undefined)
        .map(({ line }) => ({ file, line, message: 'import() of a computed name' })),
    )

/** Each npm package that the server ships has one owner; the SDK is shared as wire types only. */
export const packagesHaveOneOwner: Check = (files) =>
  shippedSources(files).flatMap(([file, text]) =>
    readImports(file, text).flatMap(({ specifier, line }) => {
      const message = specifier === undefined ? undefined : notOwned(file, specifier)
      return message === undefined ? [] : [{ file, line, message }]
    }),
  )

function notOwned(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.') || specifier.startsWith('node:')) return undefined
  const place = findPlace(file)
  const user = place.kind === 'module' ? place.module.name : file
  const name = packageName(specifier)
  if (name.startsWith('@millrace/')) {
    const shared: readonly string[] = insightProtocol.mayImport
    if (specifier === insightProtocol.specifier && shared.includes(user)) return undefined
    // Commands that run beside the instance share code with those of the API.
    if (name === '@millrace/cli' && file.startsWith('server/src/platform/cli/')) return undefined
    return `${user} may not import ${specifier}`
  }
  const owner = packageOwners[name] ?? packageOwners[name.split('/')[0] ?? '']
  if (owner === undefined) return `${name} has no owner in the table of packages`
  return owner === user ? undefined : `${name} belongs to ${owner}, not to ${user}`
}

/**
 * The browser takes the client alone, and the client and the published SDK nothing; examples take
 * the SDK by name.
 */
export const workspacesStandApart: Check = (files) => {
  const apart = [
    { folder: 'console/', packages: ['@millrace/client'] },
    { folder: 'client/src/', packages: [] },
    { folder: 'insight-sdk/', packages: ['@millrace/insight-sdk'] },
    { folder: 'examples/', packages: ['@millrace/insight-sdk'] },
  ]
  return apart.flatMap(({ folder, packages }) =>
    matching(files, code)
      .filter(([file]) => file.startsWith(folder))
      .flatMap(([file, text]) => strays(file, text, folder, packages)),
  )
}

function strays(file: string, text: string, folder: string, packages: string[]): Finding[] {
  return readImports(file, text).flatMap(({ specifier = '', line }) => {
    const target = resolved(file, specifier)
    const leaves = target !== undefined && !target.startsWith(folder)
    const takes = specifier.startsWith('@millrace/') && !packages.includes(packageName(specifier))
    const message = `${folder.slice(0, -1)} may not import ${target ?? specifier}`
    return leaves || takes ? [{ file, line, message }] : []
  })
}

/** `export … from` only in a module's index.ts: a file says itself what others may use of it. */
export const reexportsOnlyInIndexes: Check = (files) =>
  reexporters(files).flatMap(([file, text]) =>
    readImports(file, text)
      .filter(({ isExport }) => isExport)
      .map(({ line }) => ({ file, line, message: 're-export outside a module’s index.ts' })),
  )

function reexporters(files: Files): [string, string][] {
  return matching(files, /^(server|insight-sdk)\/src\/.*\.ts$/).filter(([file]) => {
    if (sdkEntries.includes(file) || innerIndexes.includes(file)) return false
    if (file.startsWith('insight-sdk/')) return true
    const place = findPlace(file)
    return place.kind !== 'module' || file !== `${place.folder}index.ts`
  })
}
