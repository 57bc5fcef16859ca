import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findNodes, isNode, type Node, readName } from '../../../tidy/tree/syntax.ts'

const source = new URL('../../../../src/', import.meta.url)

/** The public interfaces that read or change what lies in groups. */
const interfaces: readonly (readonly [string, string])[] = [
  ['people/groups/types.ts', 'Groups'],
  ['insight/assets/public.ts', 'Assets'],
  ['insight/assets/public.ts', 'Signals'],
  ['insight/assets/public.ts', 'Intakes'],
  ['insight/assets/value-retention.ts', 'ValueRetention'],
  ['insight/assets/conditions/conditions.ts', 'Conditions'],
  ['devices/provisioning/identities/devices.ts', 'Devices'],
  ['insight/pipelines/document/documents.ts', 'PipelineDocuments'],
  ['insight/pipelines/links/links.ts', 'Links'],
  ['insight/pipelines/simulation/simulations.ts', 'Simulations'],
  ['insight/pipelines/trace/traces.ts', 'Traces'],
  ['insight/pipelines/runs/failed-calls.ts', 'FailedCalls'],
]

/** The platform's own work, without a caller who sees a part: it follows the log and the clock. */
const platformOwn: readonly string[] = [
  ...['Groups.idsAt', 'Groups.onRemove', 'Intakes.of', 'Assets.onStatusChange'],
  ...['Assets.ofDevices', 'Assets.ensureDeviceAssets', 'Assets.syncChannels', 'Assets.feeds'],
  ...['Assets.generations', 'Assets.countChange', 'Assets.writeValues', 'Assets.setStatuses'],
  ...['Assets.clearStatus', 'Assets.log', 'Assets.ensurePartitions', 'Assets.dropValuesBefore'],
  ...['Assets.removeOld'],
]

/** The methods of a type in a file, each with the types of its parameters. */
function readMethods(
  file: string,
  type: string,
  text = readFileSync(new URL(file, source), 'utf8'),
) {
  const declared = findNodes(file, text, 'TSTypeAliasDeclaration')
  const node = declared.find(({ id }) => readName(id) === type)
  assert(node, `${file} has no type ${type}`)
  const members = (node.typeAnnotation as Node).members as Node[]
  return members
    .filter((member) => member.type === 'TSMethodSignature')
    .map((member) => ({
      name: `${type}.${readName(member.key)}`,
      parameters: (member.params as Node[]).map((parameter) => readType(parameter, text)),
    }))
}

function readType(parameter: Node, text: string): string {
  const { typeAnnotation: annotation } = parameter
  const type = isNode(annotation) ? annotation.typeAnnotation : undefined
  return isNode(type) ? text.slice(type.start, type.end) : ''
}

/** The view, alone or with the caller's permissions. */
const viewTypes = ['View', 'ValueReader']

/** The view is the first argument, after the transaction if there is one. */
function takesView([first = '', second = '']: readonly string[]): boolean {
  return viewTypes.includes(first === 'Transaction' ? second : first)
}

test('each method that callers reach takes the view first', () => {
  const methods = interfaces.flatMap(([file, type]) => readMethods(file, type))
  const without = methods.filter(({ parameters }) => !takesView(parameters))
  assert.deepEqual(without.map(({ name }) => name).sort(), [...platformOwn].sort())
  assert.ok(methods.length > 60, `${methods.length} methods`)
})

test('a method that takes a business is found', () => {
  const text = 'export type Planted = { all(businessId: string): void; own(view: View): void }'
  const found = readMethods('planted.ts', 'Planted', text)
  const without = found.filter(({ parameters }) => !takesView(parameters))
  assert.deepEqual(
    without.map(({ name }) => name),
    ['Planted.all'],
  )
})
