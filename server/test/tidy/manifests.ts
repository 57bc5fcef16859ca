import { type Check, type Finding, findAll, isTest, matching, splitLines } from './tree/tree.ts'

const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides'] as const
const exact = /^(npm:(@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-[\w.-]+)?$/

/** Every dependency has one version: a range installs other code on another day. */
export const dependenciesArePinned: Check = (files) =>
  matching(files, /(^|\/)package\.json$/).flatMap(([file, text]) => {
    const manifest = JSON.parse(text) as Record<string, Record<string, unknown> | undefined>
    return kinds.flatMap((kind) =>
      Object.entries(manifest[kind] ?? {})
        .filter(([, version]) => typeof version !== 'string' || !exact.test(version))
        .map(([name, version]) => ({
          file,
          line: findLine(text, kind, name),
          message: `${name} is not pinned: ${version}`,
        })),
    )
  })

function findLine(text: string, kind: string, name: string): number {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.includes(`"${kind}"`))
  return lines.findIndex((line, index) => index >= start && line.includes(`"${name}"`)) + 1
}

/** The lock file names no address to download from; npm asks the registry that is configured. */
export const lockHoldsNoAddress: Check = (files) =>
  matching(files, /(^|\/)package-lock\.json$/).flatMap(([file, text]) =>
    findAll(file, text, /"resolved": "([^"]*)"/g, ([, where]) => `resolved from ${where}`).filter(
      // npm writes a workspace's folder under the same key.
      ({ message }) => /:|\.tgz/.test(message),
    ),
  )

const madeUp = '// tidy: a made-up path'
const machinePath = /(?<![\w.*-])(\/(?:work|home|root|Users)\/)[^\s'"`)]*/g
const registryHost =
  /\bregistry\.(?!test\.ts\b)[a-z0-9-]+\.[a-z]{2,}\b|\bnpm\.pkg\.\w+\.com\b|^\s*registry\s*=/gm

/** No file knows the machine that it was written on. A test may make a path up, and say so. */
export const noMachineIsNamed: Check = (files) =>
  [...files].flatMap(([file, text]): Finding[] => {
    const paths = findAll(file, text, machinePath, ([path]) => `a path of a machine: ${path}`)
    const lines = text.split('\n')
    const allowed = ({ line }: Finding) =>
      isTest(file) && lines[line - 1]?.includes(madeUp) === true
    return [
      ...paths.filter((finding) => !allowed(finding)),
      ...findAll(file, text, registryHost, ([host]) => `a registry's host: ${host}`),
    ]
  })

/** A package that has an owner in the table is installed: a row without one allows what is not. */
export const ownedPackagesAreDependencies: Check = (files) => {
  const manifest = JSON.parse(files.get('server/package.json') ?? '{}')
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
  const file = 'server/test/tidy/modules.ts'
  const table = files.get(file)?.split('export const packageOwners')[1]
  const start = splitLines(files.get(file) ?? '').findIndex((line) => /packageOwners/.test(line))
  return splitLines(table?.split('\n}')[0] ?? '').flatMap((row, index) => {
    const name = /^ {2}'?([@\w/-]+)'?: /.exec(row)?.[1]
    const has = installed.some((one) => one === name || one.startsWith(`${name}/`))
    if (name === undefined || has) return []
    return [{ file, line: start + index + 1, message: `${name} is no dependency of the server` }]
  })
}
