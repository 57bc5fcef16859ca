import {
  findNodes,
  type Node,
  readImports,
  readMember,
  readName,
  readString,
} from './tree/syntax.ts'
import { type Check, type Finding, lineAt, matching, shippedSources } from './tree/tree.ts'

/** The places at which the environment comes in, to be handed on as an argument. */
const mayBeAmbient = /^server\/src\/(platform\/(config|cli)\/|main\.ts|foundation\/kernel\/)/

const ambientMembers = new Set([
  'process.env',
  'process.argv',
  'process.hrtime',
  'Date.now',
  'Math.random',
  'performance.now',
  'crypto.getRandomValues',
  'crypto.randomBytes',
  'crypto.randomFill',
  'crypto.randomFillSync',
  'crypto.randomInt',
  'crypto.randomUUID',
])

const ambientNames: Readonly<Record<string, readonly string[]>> = {
  'node:crypto': [...ambientMembers]
    .filter((member) => member.startsWith('crypto.'))
    .map((member) => member.slice('crypto.'.length))
    .concat('webcrypto'),
  'node:process': ['env', 'argv', 'hrtime'],
  'node:perf_hooks': ['performance'],
}

/** No module reads the environment, the clock or randomness by itself: they are arguments. */
export const nothingIsAmbient: Check = (files) =>
  shippedSources(files)
    .filter(([file]) => !mayBeAmbient.test(file))
    .flatMap(([file, text]) => [
      ...importedAmbience(file, text),
      ...findNodes(file, text, 'MemberExpression', 'NewExpression', 'CallExpression').flatMap(
        (node) => {
          const what = ambience(node)
          if (what === undefined) return []
          return [{ file, line: lineAt(text, node.start), message: `${what} must be an argument` }]
        },
      ),
    ])

function importedAmbience(file: string, text: string): Finding[] {
  return readImports(file, text).flatMap(({ specifier = '', names, typeOnly, line }) => {
    const known = ambientNames[specifier.startsWith('node:') ? specifier : `node:${specifier}`]
    const taken = typeOnly ? [] : names.filter((name) => known?.includes(name))
    return taken.map((name) => ({ file, line, message: `${name} must be an argument` }))
  })
}

function ambience(node: Node): string | undefined {
  const member = readMember(node)
  if (member !== undefined) {
    const name = `${member.object}.${member.property}`
    return ambientMembers.has(name) ? name : undefined
  }
  if (readName(node.callee) !== 'Date') return undefined
  const isNow = node.type === 'CallExpression' || (node.arguments as unknown[]).length === 0
  return isNow ? 'the time of now' : undefined
}

const dialers = new Set(['fetch', 'WebSocket', 'EventSource'])

const dialling = /^server\/src\/(foundation\/outbound|platform\/cli)\//

/** Files that may call servers beside it, each with its reason. */
const mayDial: Readonly<Record<string, string>> = {
  'server/src/scripts/solution-tests/endpoint.ts':
    'it calls the listener of a temporary instance in this process, and no other address',
}

/**
 * A single module dials out, with its guard; no other calls `fetch` or takes node's HTTP clients.
 */
export const onlyOutboundDials: Check = (files) =>
  shippedSources(files)
    .filter(([file]) => !dialling.test(file) && !(file in mayDial))
    .flatMap(([file, text]) => [
      ...findNodes(file, text, 'CallExpression', 'NewExpression')
        .filter(({ callee }) => dialers.has(readName(callee) ?? ''))
        .map((node) => ({
          file,
          line: lineAt(text, node.start),
          message: `${readName(node.callee)} dials out: ask outbound`,
        })),
      ...readImports(file, text)
        .filter(({ specifier = '' }) => /^(node:)?https?$/.test(specifier))
        .filter(({ names }) => names.includes('request') || names.includes('get'))
        .map(({ line }) => ({ file, line, message: 'an HTTP client dials out: ask outbound' })),
    ])

/** Files that read what Millrace wrote, and the strings of Lua, which are bytes. */
const ownText =
  /\/store(\/|\.ts$)|^server\/src\/\w+\/(database|cli|scripting\/lua)\/|\/kernel\/text\//

const mayDecode: Readonly<Record<string, string>> = {
  'server/src/devices/provisioning/bulk/csv.ts':
    'it checks a stream, of which a piece may end in a letter',
}

const decoders = new Set(['TextDecoder', 'isUtf8'])

/** Text from outside is decoded by the kernel alone: strictly, without its byte order mark. */
export const onlyKernelDecodes: Check = (files) =>
  shippedSources(files)
    .filter(([file]) => !ownText.test(file) && !(file in mayDecode))
    .flatMap(([file, text]) =>
      findNodes(file, text, 'MemberExpression', 'CallExpression', 'NewExpression').flatMap(
        (node) => {
          const what = decoding(node)
          if (what === undefined) return []
          const message = `${what} decodes: take a function of kernel/text`
          return [{ file, line: lineAt(text, node.start), message }]
        },
      ),
    )

function decoding(node: Node): string | undefined {
  const { object, property } = readMember(node) ?? {}
  if (object === 'JSON' && property === 'parse') return 'JSON.parse'
  if (node.type === 'MemberExpression') return undefined
  const callee = readName(node.callee) ?? readName((node.callee as Node).property)
  if (callee !== undefined && decoders.has(callee)) return callee
  const [encoding, ...others] = (node.arguments as unknown[]).map(readString)
  const isText = /^utf-?8$/.test(encoding ?? '') || (node.arguments as unknown[]).length === 0
  if (callee === 'setEncoding') return callee
  return callee === 'toString' && isText && others.length === 0 ? callee : undefined
}

/** Names are the same wherever they are used. A tool's own configuration file is the exception. */
export const exportsHaveNames: Check = (files) =>
  matching(files, /^(server|console|insight-sdk|bench|dev)\/.*\.tsx?$/)
    .filter(([file]) => !/\.config\.ts$/.test(file))
    .flatMap(([file, text]) =>
      findNodes(file, text, 'ExportDefaultDeclaration', 'ExportSpecifier')
        .filter((node) => node.type !== 'ExportSpecifier' || readName(node.exported) === 'default')
        .map((node) => ({ file, line: lineAt(text, node.start), message: 'default export' })),
    )

/** Files that run as a process, and give its parts to the others. */
const launchers = new Set([
  'cli/src/main.ts',
  'cli/src/cli.ts',
  'cli/src/this-process.ts',
  'insight-sdk/src/cli.ts',
  'server/src/platform/cli/index.ts',
  'server/src/platform/cli/signals.ts',
])
const processParts = ['argv', 'cwd', 'env', 'exit', 'exitCode', 'stderr', 'stdin', 'stdout']

/** Only a launcher ends its process, and reads its parts: commands run in any process. */
export const onlyLaunchersAreProcesses: Check = (files) =>
  matching(files, /^(server|insight-sdk|cli)\/src\/.*\.ts$/)
    .filter(([file]) => !launchers.has(file) && !/\.test\.ts$/.test(file))
    .flatMap(([file, text]) =>
      findNodes(file, text, 'MemberExpression').flatMap((node) => {
        const { object, property = '' } = readMember(node) ?? {}
        if (object !== 'process' || !processParts.includes(property)) return []
        const message = `process.${property} outside a launcher`
        return [{ file, line: lineAt(text, node.start), message }]
      }),
    )
