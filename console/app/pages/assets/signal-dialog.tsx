import { changeSignal, createSignal, type PrimitiveType, type Signal } from '../../api/signals.ts'
import { FieldsDialog } from '../../components/form/fields-dialog.tsx'
import { readText } from '../../ui/submit.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { readSignalPart, SignalFields } from './signal-fields.tsx'

const texts = defineTexts({
  make: ['New signal', 'Neues Signal'],
  change: ['Change the signal', 'Signal ändern'],
})

type Props = {
  readonly assetId: string
  /** The one that is changed; undefined makes one. */
  readonly signal: Signal | undefined
  readonly onClose: () => void
}

/** A form for a signal. The type of its values stays as it was made. */
export function SignalDialog({ assetId, signal, onClose }: Props) {
  const t = useTexts(texts)
  return (
    <FieldsDialog
      title={signal === undefined ? t.make : t.change}
      action={t.save}
      fields={[]}
      send={(client, _, form) => {
        if (signal !== undefined) {
          return changeSignal(client, { id: signal.id, input: readSignalPart(form, signal) })
        }
        const primitiveType = readText(form, 'primitive') as PrimitiveType
        return createSignal(client, { assetId, input: { ...readSignalPart(form), primitiveType } })
      }}
      onClose={onClose}
    >
      <SignalFields
        signal={signal}
        hasType={signal === undefined}
        isComputed={signal?.source?.linkId != null}
      />
    </FieldsDialog>
  )
}
