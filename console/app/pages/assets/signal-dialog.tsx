import {
  Button,
  Modal,
  NativeSelect,
  NumberInput,
  Group as Row,
  Stack,
  TextInput,
} from '@mantine/core'
import type { FormEvent } from 'react'
import {
  changeSignal,
  createSignal,
  type NewSignal,
  type PrimitiveType,
  type Signal,
} from '../../api/signals.ts'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { textOf } from '../../ui/submit.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts(
  {
    make: 'New signal',
    change: 'Change the signal',
    name: 'Name',
    primitive: 'Type of its values',
    dataType: 'What is measured',
    unit: 'Unit',
    alias: 'Resource that feeds it',
    channel: 'Channel of the resource',
    timeout: 'Timeout in seconds',
    save: 'Save',
  },
  {
    de: {
      make: 'Neues Signal',
      change: 'Signal ändern',
      name: 'Name',
      primitive: 'Typ der Werte',
      dataType: 'Messgröße',
      unit: 'Einheit',
      alias: 'Ressource, die es speist',
      channel: 'Kanal der Ressource',
      timeout: 'Timeout in Sekunden',
      save: 'Speichern',
    },
  },
)

const primitives: readonly PrimitiveType[] = ['NUMERIC', 'STRING', 'BOOLEAN', 'JSON']

type Props = {
  readonly assetId: string
  /** The one that is changed; undefined makes one. */
  readonly signal: Signal | undefined
  readonly onClose: () => void
}

/** A form for a signal. The type of its values stays as it was made. */
export function SignalDialog({ assetId, signal, onClose }: Props) {
  const t = useTexts(texts)
  const { isBusy, error, run } = useChange<FormData>((client, form) => {
    if (signal !== undefined) return changeSignal(client, signal.id, partOf(form, signal))
    const primitiveType = textOf(form, 'primitive') as PrimitiveType
    return createSignal(client, assetId, { ...partOf(form), primitiveType })
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    run(new FormData(event.currentTarget), onClose)
  }
  const isComputed = signal?.source?.linkId != null
  return (
    <Modal
      opened
      onClose={onClose}
      title={signal === undefined ? t.make : t.change}
      withCloseButton={false}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            name="name"
            label={t.name}
            required
            maxLength={200}
            defaultValue={signal?.name}
            data-autofocus
          />
          {signal === undefined && (
            <NativeSelect name="primitive" label={t.primitive} data={[...primitives]} />
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
          {!isComputed && <Source signal={signal} />}
          <NumberInput
            name="timeout"
            label={t.timeout}
            min={0}
            defaultValue={signal?.timeoutMs == null ? '' : signal.timeoutMs / 1_000}
          />
        </Stack>
        {error !== null && <Trouble error={error} />}
        <Row justify="end" mt="md">
          <Button type="submit" size="xs" loading={isBusy}>
            {t.save}
          </Button>
        </Row>
      </form>
    </Modal>
  )
}

function Source({ signal }: Pick<Props, 'signal'>) {
  const t = useTexts(texts)
  const { alias, channel } = signal?.source ?? {}
  return (
    <>
      <TextInput name="alias" label={t.alias} placeholder="data_in" defaultValue={alias ?? ''} />
      <TextInput name="channel" label={t.channel} placeholder="001" defaultValue={channel ?? ''} />
    </>
  )
}

/** A source that was not changed is left out: it may name a device, which the form does not. */
function partOf(form: FormData, before?: Signal): Omit<NewSignal, 'primitiveType'> {
  const [alias, channel] = [textOf(form, 'alias'), textOf(form, 'channel')]
  const timeout = textOf(form, 'timeout')
  const old = before?.source
  const isSame = alias === (old?.alias ?? '') && channel === (old?.channel ?? '')
  return {
    name: textOf(form, 'name'),
    dataType: textOf(form, 'dataType') || null,
    dataUnit: textOf(form, 'dataUnit') || null,
    timeoutMs: timeout === '' ? null : Number(timeout) * 1_000,
    ...(!isSame && {
      source: alias === '' ? null : { alias, ...(channel !== '' && { channel }) },
    }),
  }
}
