import { useQueries } from '@tanstack/react-query'
import type { InsightFunction } from '../../api/modules.ts'
import { listFitting } from '../../api/pipelines.ts'
import { SelectField } from '../../components/controls/fields.tsx'
import { useSignedIn } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { translated } from '../../ui/translated-texts.ts'
import { shownUnit } from '../../ui/words.ts'
import type { LinkFormProps } from './diagram.tsx'
import { type Source, sourceId } from './document.ts'
import { findMisfit } from './fit.ts'

const texts = defineTexts({
  choose: ['choose a signal', 'Signal wählen'],
  misfit: (is: string, wanted: string) => [`${is}, not ${wanted}`, `${is}, nicht ${wanted}`],
  own: ['made by this link', 'von dieser Verknüpfung selbst'],
  takes: ['Takes', 'Nimmt'],
  anything: ['anything', 'Beliebiges'],
  converted: (from: string, to: string) => [
    `Values are converted from ${from} to ${to}.`,
    `Werte werden von ${from} in ${to} umgerechnet.`,
  ],
})

type Props = LinkFormProps & {
  readonly described: InsightFunction
  readonly faultAt: (place: string) => string | undefined
}

type Inlet = InsightFunction['inlets'][number]

const fittingEveryMs = 8_000

/** A choice for each inlet: what does not fit cannot be chosen, and the reason stands beside it. */
export function InletFields(props: Props) {
  const { described, link, asset, draft, sources, faultAt, onChange } = props
  const t = useTexts(texts)
  const fitting = useFitting(props)
  const inlets = link.inlets ?? []
  const choose = (at: number, id: string) => {
    const source = sources.find((one) => one.id === id)
    const next = described.inlets.map((_, index) => inlets[index] ?? {})
    next[at] = source?.inlet ?? {}
    onChange(link.key, { inlets: next })
  }
  return described.inlets.map((inlet, at) => {
    const current = sourceId(inlets[at], asset.signals, draft)
    const options = sources.map((source) => {
      const why = source.id === current ? undefined : whyNot(source, at)
      const label = why === undefined ? source.name : `${source.name} (${why})`
      return { value: source.id, label, disabled: why !== undefined }
    })
    const kind = [
      inlet.primitiveType ?? t.anything,
      ...inlet.dataType,
      ...inlet.dataUnit.map(shownUnit),
    ].join(', ')
    const about = inlet.description ?? ''
    const description = translated(inlet.translations, 'description', about)
    return (
      <SelectField
        key={inlet.name}
        label={translated(inlet.translations, 'name', inlet.name)}
        description={`${description} ${t.takes}: ${kind}. ${conversionAt(current, inlet)}`.trim()}
        error={faultAt(`/inlets/${at}`)}
        value={current}
        data={[{ value: '', label: t.choose }, ...options]}
        onChange={(next) => choose(at, next)}
      />
    )
  })

  /** Values in another unit that the server can convert reach the function converted. */
  function conversionAt(id: string, { dataUnit }: Inlet): string {
    const signal = asset.signals.find((one) => `signal:${one.id}` === id)
    const unit = signal?.dataUnit
    if (unit == null || dataUnit.length === 0 || dataUnit.includes(unit)) return ''
    return t.converted(shownUnit(unit), shownUnit(dataUnit[0] ?? ''))
  }

  function whyNot(source: Source, at: number): string | undefined {
    const inlet = described.inlets[at]
    if (inlet === undefined) return undefined
    if (source.by === link.key) return t.own
    const signal = asset.signals.find(({ id }) => `signal:${id}` === source.id)
    const known = fitting[at]
    const isRefused = signal !== undefined && known?.every(({ id }) => id !== signal.id) === true
    const misfit = findMisfit(inlet, source, signal, isRefused)
    return misfit === undefined ? undefined : t.misfit(misfit.is, misfit.wanted)
  }
}

/** The signals that fit as the server says, by the number of the inlet. */
function useFitting({ described, link, asset }: Props) {
  const { client } = useSignedIn()
  const { moduleId = '', functionId = '', groupId } = link
  const of = { assetId: asset.id, moduleId, functionId, groupId: groupId || null }
  const answers = useQueries({
    queries: described.inlets.map((_, inlet) => ({
      queryKey: ['fitting', of, inlet],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        listFitting(client, { ...of, inlet }, signal),
      refetchInterval: fittingEveryMs,
    })),
  })
  return answers.map(({ data }) => data)
}
