import { useBlocker } from '@tanstack/react-router'
import { Confirm } from '../../components/dialogs/confirm.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  title: ['Leave without saving?', 'Ohne Speichern verlassen?'],
  leave: ['Leave', 'Verlassen'],
  lost: ['What was changed here is lost.', 'Was hier geändert wurde, geht verloren.'],
})

/** Asks before the page is left while something is not saved. */
export function LeaveGuard({ isDirty }: { readonly isDirty: boolean }) {
  const t = useTexts(texts)
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  return (
    <Confirm
      opened={status === 'blocked'}
      title={t.title}
      action={t.leave}
      isBusy={false}
      error={null}
      onConfirm={() => proceed?.()}
      onCancel={() => reset?.()}
    >
      {t.lost}
    </Confirm>
  )
}
