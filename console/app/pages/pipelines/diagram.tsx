import type { AssetDetail } from '../../api/signals.ts'
import '@xyflow/react/dist/base.css'
import type { Problem } from '@millrace/client'
import {
  Background,
  type Connection,
  Controls,
  type Edge,
  Handle,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
} from '@xyflow/react'
import { useMemo } from 'react'
import type { FailedCall } from '../../api/pipelines.ts'
import type { Signal } from '../../api/signals.ts'
import { Badge } from '../../components/badge.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { reading, type UnitOf, useUnitFor } from '../../ui/units/shown-units.ts'
import {
  computeDepths,
  type Draft,
  type DraftLink,
  type Functions,
  functionKey,
  type Source,
  sourceId,
} from './document.ts'
import { findMisfit } from './fit.ts'
import styles from './pipelines.module.css'
import { pipelineTexts } from './texts.ts'

const columnWidth = 290
const rowHeight = 120

const texts = defineTexts({
  label: [
    'Diagram of the pipeline; the list below it has the same links',
    'Diagramm der Pipeline; die Liste darunter hat dieselben Verknüpfungen',
  ],
})

/** The contents of the diagram and the list of a pipeline. */
export type Shown = {
  readonly draft: Draft
  readonly signals: readonly Signal[]
  readonly sources: readonly Source[]
  readonly functions: Functions
  readonly faults: ReadonlyMap<string, readonly Problem[]>
  /** Calls that failed and wait, by the id of the link. */
  readonly calls: ReadonlyMap<string, readonly FailedCall[]>
  /**
   * The differences between a link and the function as its module lists it now, by the id of the
   * link.
   */
  readonly outdated: ReadonlyMap<string, readonly string[]>
  readonly chosen: string | undefined
  readonly onChoose: (key: string) => void
}

/** A link with what is known of it, and what changes it. */
export type LinkFormProps = Omit<Shown, 'signals'> & {
  readonly link: DraftLink
  readonly asset: AssetDetail
  readonly onChange: (key: string, part: Partial<DraftLink>) => void
  readonly onRemove: (key: string) => void
}

type Props = Shown & {
  readonly onConnect: (key: string, inlet: number, source: Source) => void
}

type LinkNode = Node<{
  link: DraftLink
  inlets: readonly string[]
  outlets: readonly string[]
  faults: number
  failed: number
  isOutdated: boolean
}>
type SourceNode = Node<{ name: string; value: string }>

/** The signals that devices write on the left, and the links in the order of the data's path. */
export function Diagram(props: Props) {
  const t = useTexts(texts)
  const words = useTexts(pipelineTexts)
  const { draft, signals, sources, functions, onConnect, onChoose } = props
  const unitOf = useUnitFor()
  const nodes = useNodes(props, unitOf)
  const edges = makeEdges(props, unitOf, words.noValue)
  const find = ({ source, sourceHandle, target, targetHandle }: Connection | Edge) => {
    const link = draft.links.find(({ key }) => key === target)
    const from = sources.find(({ id }) => id === (sourceHandle ?? source))
    return { link, from, at: Number(targetHandle ?? -1) }
  }
  const fits = (connection: Connection | Edge) => {
    const { link, from, at } = find(connection)
    const inlet = link && functions.get(functionKey(link))?.inlets[at]
    const signal = signals.find(({ id }) => `signal:${id}` === from?.id)
    return (
      inlet !== undefined && from !== undefined && findMisfit(inlet, from, signal) === undefined
    )
  }
  return (
    <section className={styles.diagram} aria-label={t.label}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        nodesDraggable={false}
        deleteKeyCode={null}
        fitView
        fitViewOptions={{ maxZoom: 1 }}
        minZoom={0.2}
        isValidConnection={fits}
        onConnect={(connection) => {
          const { link, from, at } = find(connection)
          if (link !== undefined && from !== undefined) onConnect(link.key, at, from)
        }}
        onNodeClick={(_, { id, type }) => {
          if (type === 'link') onChoose(id)
        }}
        // The list has them for keys and screen readers.
        nodesFocusable={false}
        edgesFocusable={false}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </section>
  )
}

function useNodes(props: Props, unitOf: UnitOf | undefined) {
  const { draft, signals, sources, functions, faults, calls, outdated, chosen } = props
  return useMemo(() => {
    const depths = computeDepths(draft, sources, signals)
    const rows = new Map<number, number>()
    const place = (depth: number) => {
      const row = rows.get(depth) ?? 0
      rows.set(depth, row + 1)
      return { x: depth * columnWidth, y: row * rowHeight }
    }
    const given = sources.filter(({ by }) => !draft.links.some(({ key }) => key === by))
    const first = given.map(({ id, name }): SourceNode => {
      const signal = signals.find((one) => `signal:${one.id}` === id)
      const data = { name, value: formatReading(signal, unitOf, '') }
      return { id, type: 'source', position: place(0), data }
    })
    const links = draft.links.map((link): LinkNode => {
      const described = functions.get(functionKey(link))
      const data = {
        link,
        inlets: (described?.inlets ?? link.inlets ?? []).map((one) =>
          'name' in one ? `${one.name}` : '',
        ),
        outlets: sources.filter(({ by }) => by === link.key).map(({ id }) => id),
        faults: faults.get(link.key)?.length ?? 0,
        failed: calls.get(link.key)?.length ?? 0,
        isOutdated: outdated.has(link.key),
      }
      const position = place(depths.get(link.key) ?? 1)
      return { id: link.key, type: 'link', position, data, selected: link.key === chosen }
    })
    return [...first, ...links]
  }, [draft, signals, sources, functions, faults, calls, outdated, chosen, unitOf])
}

function makeEdges(
  { draft, signals, sources }: Props,
  unitOf: UnitOf | undefined,
  none: string,
): Edge[] {
  return draft.links.flatMap((link) =>
    (link.inlets ?? []).flatMap((inlet, at) => {
      const source = sources.find(({ id }) => id === sourceId(inlet, signals, draft))
      if (source === undefined) return []
      const signal = signals.find(({ id }) => `signal:${id}` === source.id)
      const isMade = draft.links.some(({ key }) => key === source.by)
      return {
        id: `${link.key}/${at}`,
        source: isMade ? (source.by ?? '') : source.id,
        sourceHandle: source.id,
        target: link.key,
        targetHandle: `${at}`,
        label: formatReading(signal, unitOf, none),
        ariaLabel: `${source.name} → ${link.name}`,
      }
    }),
  )
}

const valueChars = 24

function formatReading(
  signal: Signal | undefined,
  unitOf: UnitOf | undefined,
  none: string,
): string {
  if (signal?.lastValue == null || unitOf === undefined) return none
  const { text: digits, sign } = reading(signal.lastValue.value, signal, unitOf(signal))
  const text = `${digits} ${sign}`.trim()
  return text.length > valueChars ? `${text.slice(0, valueChars)}…` : text
}

function SourceBox({ id, data: { name, value } }: NodeProps<SourceNode>) {
  return (
    <div className={styles.node} data-kind="signal">
      <strong>{name}</strong>
      <span>{value}</span>
      <Handle type="source" id={id} position={Position.Right} />
    </div>
  )
}

function LinkBox({ data, selected }: NodeProps<LinkNode>) {
  const t = useTexts(pipelineTexts)
  const { link, inlets, outlets, faults, failed, isOutdated } = data
  const type = link.type === 'rule' || link.type === 'action' ? link.type : 'transform'
  return (
    <div className={styles.node} data-kind={type} data-chosen={selected}>
      {inlets.map((name, at) => (
        <Handle
          // biome-ignore lint/suspicious/noArrayIndexKey: an inlet is known by its number
          key={at}
          type="target"
          id={`${at}`}
          title={name}
          position={Position.Left}
          style={{ top: `${((at + 1) * 100) / (inlets.length + 1)}%` }}
        />
      ))}
      <strong>{link.name}</strong>
      <span>
        {t[type]}
        {link.enabled === false && `, ${t.off}`}
      </span>
      {faults > 0 && <Badge tone="bad" icon="stop" text={t.faults(faults)} />}
      {isOutdated && <Badge tone="care" icon="clock" text={t.outdated} />}
      {failed > 0 && <Badge tone="care" icon="warning" text={t.failed(failed)} />}
      {outlets.map((id, at) => (
        <Handle
          key={id}
          type="source"
          id={id}
          position={Position.Right}
          style={{ top: `${((at + 1) * 100) / (outlets.length + 1)}%` }}
        />
      ))}
    </div>
  )
}

const nodeTypes = { source: SourceBox, link: LinkBox }
