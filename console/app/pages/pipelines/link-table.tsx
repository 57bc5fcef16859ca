import { ScrollArea, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Badge } from '../../components/badge.tsx'
import { CheckField } from '../../components/controls/fields.tsx'
import { Heading } from '../../components/controls/heading.tsx'
import { useMay } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import type { Shown } from './diagram.tsx'
import { type DraftLink, functionKey, sourceId } from './document.ts'
import styles from './pipelines.module.css'
import { pipelineTexts } from './texts.ts'

const texts = defineTexts({
  name: ['Link', 'Verknüpfung'],
  does: ['Function', 'Funktion'],
  takes: ['Takes', 'Nimmt'],
  on: ['On', 'An'],
  run: (name: string) => [`${name} runs`, `${name} läuft`],
  isNew: ['new', 'neu'],
})

type Props = Shown & { readonly onChange: (key: string, part: Partial<DraftLink>) => void }

/** The same document as a list, for keys and screen readers as for everybody. */
export function LinkTable(props: Props) {
  const t = useTexts(texts)
  const words = useTexts(pipelineTexts)
  return (
    <section aria-label={words.links}>
      <Heading text={words.links} mt="md" />
      <ScrollArea>
        <table className={styles.table}>
          <thead>
            <tr>
              {[t.name, t.does, t.takes, t.on, t.state].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {props.draft.links.map((link) => (
              <Row key={link.key} {...props} link={link} />
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </section>
  )
}

function Row({ link, ...shown }: Props & { readonly link: DraftLink }) {
  const { draft, sources, signals, functions, faults, calls, chosen, onChoose, onChange } = shown
  const t = useTexts(texts)
  const words = useTexts(pipelineTexts)
  const mayRead = useMay('Setup')
  const takes = (link.inlets ?? []).map((inlet) => {
    const from = sourceId(inlet, signals, draft)
    return sources.find(({ id }) => id === from)?.name ?? '?'
  })
  const faultCount = faults.get(link.key)?.length ?? 0
  const failedCount = calls.get(link.key)?.length ?? 0
  const isOutdated = shown.outdated.has(link.key)
  return (
    <tr data-chosen={link.key === chosen}>
      <td>
        <UnstyledButton
          className={styles.choose}
          aria-current={link.key === chosen}
          onClick={() => onChoose(link.key)}
        >
          {link.name}
        </UnstyledButton>
      </td>
      <td>{functions.get(functionKey(link))?.name ?? link.functionId}</td>
      <td>{takes.join(', ')}</td>
      <td>
        <CheckField
          aria-label={t.run(link.name ?? '')}
          checked={link.enabled !== false}
          onChange={(next) => onChange(link.key, { enabled: next })}
        />
      </td>
      <td>
        {link.id === undefined && <Badge tone="note" text={t.isNew} />}
        {faultCount > 0 && <Badge tone="bad" icon="stop" text={words.faults(faultCount)} />}
        {isOutdated && <Badge tone="care" icon="clock" text={words.outdated} />}
        {failedCount > 0 && mayRead && (
          <Link to="/failures/{-$of}/{-$id}" params={{}} search={{ stage: 'functions.calls' }}>
            {words.failed(failedCount)}
          </Link>
        )}
      </td>
    </tr>
  )
}
