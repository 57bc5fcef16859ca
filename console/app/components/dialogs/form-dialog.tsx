import { Button, Group, Modal, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { Trouble } from '../trouble.tsx'

const texts = defineTexts({
  cancel: ['Cancel', 'Abbrechen'],
})

type Props = {
  readonly title: string
  /** The text of the button that sends the form. */
  readonly action: string
  readonly isBusy: boolean
  /** An error that no field shows. */
  readonly error: Error | null
  readonly onSubmit: (form: FormData) => void
  readonly onClose: () => void
  readonly size?: 'md' | 'lg'
  readonly children: ReactNode
}

/** A form in a dialog; a click beside it closes nothing, so that nothing typed is lost. */
export function FormDialog(props: Props) {
  const { title, action, isBusy, error, onSubmit, onClose, size = 'md', children } = props
  const t = useTexts(texts)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit(new FormData(event.currentTarget))
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      centered
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          {children}
          {error !== null && <Trouble error={error} />}
          <Group justify="end" mt="xs">
            <Button variant="default" size="xs" onClick={onClose}>
              {t.cancel}
            </Button>
            <Button type="submit" size="xs" loading={isBusy}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
