import { type LimitName, limitDefinitions } from '../../src/foundation/kernel/index.ts'
import { isNode, type Node, parseSyntax, readMember, readName } from './tree/syntax.ts'
import { type Check, type Finding, lineAt, shippedSources } from './tree/tree.ts'

const kernelLimits = /^server\/src\/foundation\/kernel\/limits(\.ts$|\/)/

const functions = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'TSTypeAliasDeclaration',
])

/**
 * A settable limit is read in a function: an operator's value is applied after modules load. A
 * property of an object is initialised with the object; a static one while the module loads.
 */
export const settableLimitsAreReadLate: Check = (files) =>
  shippedSources(files)
    .filter(([file, text]) => !kernelLimits.test(file) && text.includes('limits'))
    .flatMap(([file, text]) =>
      readAtLoad(parseSyntax(file, text)).map(
        ({ name, start }): Finding => ({
          file,
          line: lineAt(text, start),
          message: `${name} is settable: read it in a function, not while the module loads`,
        }),
      ),
    )

type Read = { readonly name: string; readonly start: number }

function readAtLoad(node: Node): Read[] {
  if (functions.has(node.type)) return []
  if (node.type === 'PropertyDefinition' && node.static !== true) return []
  const member = readMember(node)
  if (member?.object === 'limits') return settable([member.property], node.start)
  if (node.type === 'VariableDeclarator' && readName(node.init) === 'limits') {
    const { properties = [] } = node.id as { properties?: readonly Node[] }
    return settable(
      properties.flatMap(({ key }) => readName(key) ?? []),
      node.start,
    )
  }
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)
    .flatMap(readAtLoad)
}

function settable(names: readonly string[], start: number): Read[] {
  return names
    .filter((name) => limitDefinitions[name as LimitName]?.kind === 'settable')
    .map((name) => ({ name, start }))
}
