import { Alert, Button, Group, NumberInput, Stack, Text } from '@mantine/core'
import type { Problem } from '@millrace/client'
import { useState } from 'react'
import type { InsightFunction } from '../../api/modules.ts'
import { Badge } from '../../components/badge.tsx'
import { Action } from '../../components/controls/action.tsx'
import { CheckField, TextField } from '../../components/controls/fields.tsx'
import { Heading } from '../../components/controls/heading.tsx'
import { Icon } from '../../components/icon.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { translated } from '../../ui/translated-texts.ts'
import { CheckFields } from './check-fields.tsx'
import { ConstantFields } from './constant-fields.tsx'
import type { LinkFormProps } from './diagram.tsx'
import { functionKey } from './document.ts'
import { FailedCalls } from './failed-calls.tsx'
import { InletFields } from './inlet-fields.tsx'
import styles from './pipelines.module.css'
import { pipelineTexts } from './texts.ts'
import { TraceDialog } from './trace-dialog.tsx'

const texts = defineTexts({
  enabled: ['It runs', 'Sie läuft'],
  remove: ['Remove this link', 'Diese Verknüpfung entfernen'],
  unknown: [
    'Its module does not describe this function now. It runs as before.',
    'Ihr Modul beschreibt diese Funktion zurzeit nicht. Sie läuft weiter wie bisher.',
  ],
  trace: (name: string) => [
    `Trace the newest value of ${name}`,
    `Neuesten Wert von ${name} verfolgen`,
  ],
  timeout: ['Timeout of a call in seconds', 'Timeout eines Aufrufs in Sekunden'],
  timeoutHint: [
    'Empty: as long as the instance lets any call take.',
    'Leer: so lange, wie die Instanz jeden Aufruf dauern lässt.',
  ],
  outdated: ['Outdated', 'Veraltet'],
  asBefore: [
    'Its module lists this function otherwise now. The link runs as before.',
    'Ihr Modul führt diese Funktion jetzt anders. Die Verknüpfung läuft weiter wie bisher.',
  ],
})

const msPerSecond = 1_000

/** Everything of a link that can be changed, each fault at its field. */
export function LinkForm(props: LinkFormProps) {
  const { link, functions, faults, outdated, calls, onChange, onRemove } = props
  const t = useTexts(texts)
  const words = useTexts(pipelineTexts)
  const described = functions.get(functionKey(link))
  const own = faults.get(link.key) ?? []
  const faultAt = (place: string) => own.find(({ pointer }) => pointer === place)?.detail
  const atField = /^\/(name$|timeoutMs$|inlets\/\d+|constants\/|checks\/\d+)/
  return (
    <Stack gap="sm" component="section" aria-label={link.name}>
      <Heading text={link.name} className={styles.name} />
      {described === undefined ? (
        <Text size="sm">{t.unknown}</Text>
      ) : (
        <>
          <span>
            <Badge tone="note" text={words[described.type]} />
          </span>
          <Text size="sm" c="dimmed" className={styles.name}>
            {translated(described.translations, 'description', described.description)}
          </Text>
        </>
      )}
      <Outdated sentences={outdated.get(link.key) ?? []} />
      {own
        .filter(({ pointer }) => !atField.test(pointer))
        .map(({ detail }) => (
          <Text key={detail} size="sm" role="alert" className={styles.fault}>
            {detail}
          </Text>
        ))}
      <TextField
        label={t.name}
        value={link.name ?? ''}
        error={faultAt('/name')}
        onChange={(next) => onChange(link.key, { name: next })}
      />
      {described !== undefined && <Described {...{ ...props, described, own, faultAt }} />}
      <Timeout {...{ link, onChange }} fault={faultAt('/timeoutMs')} />
      <CheckField
        label={t.enabled}
        checked={link.enabled !== false}
        onChange={(next) => onChange(link.key, { enabled: next })}
      />
      {link.id !== undefined && <FailedCalls calls={calls.get(link.id) ?? []} />}
      <Traces {...props} />
      <Group>
        <Action text={t.remove} icon="bin" onClick={() => onRemove(link.key)} />
      </Group>
    </Stack>
  )
}

type DescribedProps = LinkFormProps & {
  readonly described: InsightFunction
  /** The faults of the link. */
  readonly own: readonly Problem[]
  readonly faultAt: (place: string) => string | undefined
}

/** The parts of the link that the description of the function names. */
function Described(props: DescribedProps) {
  const { described, link, own, faultAt, onChange } = props
  return (
    <>
      <InletFields {...props} />
      <ConstantFields
        described={described}
        values={link.constants ?? {}}
        faultAt={faultAt}
        onChange={(constants) => onChange(link.key, { constants })}
      />
      <CheckFields
        described={described}
        checks={link.checks ?? []}
        faultAt={(place) => own.find(({ pointer }) => pointer.startsWith(place))?.detail}
        onChange={(checks) => onChange(link.key, { checks })}
      />
    </>
  )
}

type TimeoutProps = Pick<LinkFormProps, 'link' | 'onChange'> & {
  readonly fault: string | undefined
}

function Timeout({ link, fault, onChange }: TimeoutProps) {
  const t = useTexts(texts)
  return (
    <NumberInput
      label={t.timeout}
      description={t.timeoutHint}
      size="xs"
      min={0}
      error={fault}
      value={link.timeoutMs == null ? '' : link.timeoutMs / msPerSecond}
      onChange={(seconds) => onChange(link.key, { timeoutMs: toMilliseconds(seconds) })}
    />
  )
}

function toMilliseconds(seconds: number | string): number | null {
  return seconds === '' ? null : Math.round(Number(seconds) * msPerSecond)
}

/** Says that the module lists another version of the function since it was linked. */
function Outdated({ sentences }: { readonly sentences: readonly string[] }) {
  const t = useTexts(texts)
  if (sentences.length === 0) return null
  return (
    <Alert color="yellow" p="xs" title={t.outdated}>
      <Text size="sm">{t.asBefore}</Text>
      <ul className={styles.results}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Alert>
  )
}

/** The signals that the link makes, each with the way of a value of it. */
function Traces({ link, asset }: LinkFormProps) {
  const t = useTexts(texts)
  const [traced, setTraced] = useState<string>()
  const made = asset.signals.filter(
    ({ source, lastValue }) => link.id !== undefined && source?.linkId === link.id && lastValue,
  )
  if (made.length === 0) return null
  return (
    <>
      {made.map(({ id, name }) => (
        <Button
          key={id}
          size="xs"
          variant="default"
          leftSection={<Icon name="flow" size={14} />}
          onClick={() => setTraced(id)}
        >
          <span className={styles.cut}>{t.trace(name)}</span>
        </Button>
      ))}
      {traced !== undefined && (
        <TraceDialog key={traced} signal={traced} onClose={() => setTraced(undefined)} />
      )}
    </>
  )
}
