import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import type { NewSignal, PrimitiveType } from '../../api/signals.ts'
import { readText } from '../../ui/submit.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  primitive: ['Type of its values', 'Typ der Werte'],
  dataType: ['What is measured', 'Messgröße'],
  unit: ['Unit', 'Einheit'],
  alias: ['Resource that feeds it', 'Ressource, die es speist'],
  channel: ['Channel of the resource', 'Kanal der Ressource'],
  timeout: ['Timeout in seconds', 'Timeout in Sekunden'],
})

const primitives: readonly PrimitiveType[] = ['NUMERIC', 'STRING', 'BOOLEAN', 'JSON']

type Source = { readonly alias?: string | null; readonly channel?: string | null }

/** The fields of a signal of an asset or of a template. */
type Filled = {
  readonly name: string
  readonly primitiveType?: PrimitiveType
  readonly dataType?: string | null
  readonly dataUnit?: string | null
  readonly source?: Source | null
  readonly timeoutMs?: number | null
}

type Props = {
  readonly signal: Filled | undefined
  /** True if the type of its values can be chosen. */
  readonly hasType: boolean
  /** A function computes it: no resource feeds it. */
  readonly isComputed?: boolean
}

/** The fields of a signal, which `readSignalPart` reads. */
export function SignalFields({ signal, hasType, isComputed = false }: Props) {
  const t = useTexts(texts)
  return (
    <>
      <TextInput
        name="name"
        label={t.name}
        required
        maxLength={200}
        defaultValue={signal?.name}
        data-autofocus
      />
      {hasType && (
        <NativeSelect
          name="primitive"
          label={t.primitive}
          data={[...primitives]}
          defaultValue={signal?.primitiveType}
        />
      )}
      <TextInput
        name="dataType"
        label={t.dataType}
        placeholder="TEMPERATURE"
        defaultValue={signal?.dataType ?? ''}
      />
      <TextInput
        name="dataUnit"
        label={t.unit}
        placeholder="DEG_CELSIUS"
        defaultValue={signal?.dataUnit ?? ''}
      />
      {!isComputed && (
        <>
          <TextInput
            name="alias"
            label={t.alias}
            placeholder="data_in"
            defaultValue={signal?.source?.alias ?? ''}
          />
          <TextInput
            name="channel"
            label={t.channel}
            placeholder="001"
            defaultValue={signal?.source?.channel ?? ''}
          />
        </>
      )}
      <NumberInput
        name="timeout"
        label={t.timeout}
        min={0}
        defaultValue={signal?.timeoutMs == null ? '' : signal.timeoutMs / 1_000}
      />
    </>
  )
}

/** A source that was not changed is left out: it may name a device, which the form does not. */
export function readSignalPart(form: FormData, before?: Filled): Omit<NewSignal, 'primitiveType'> {
  const [alias, channel] = [readText(form, 'alias'), readText(form, 'channel')]
  const timeout = readText(form, 'timeout')
  const old = before?.source
  const isSame = alias === (old?.alias ?? '') && channel === (old?.channel ?? '')
  return {
    name: readText(form, 'name'),
    dataType: readText(form, 'dataType') || null,
    dataUnit: readText(form, 'dataUnit') || null,
    timeoutMs: timeout === '' ? null : Number(timeout) * 1_000,
    ...(!isSame && {
      source: alias === '' ? null : { alias, ...(channel !== '' && { channel }) },
    }),
  }
}
