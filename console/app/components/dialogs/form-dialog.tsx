import { Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../ui/texts.ts'
import { Action } from '../controls/action.tsx'
import { Form } from '../controls/form.tsx'
import { Trouble } from '../trouble.tsx'

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
  const t = useTexts()
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
      <Form onSubmit={onSubmit}>
        <Stack gap="sm">
          {children}
          {error !== null && <Trouble error={error} />}
          <Group justify="end" mt="xs">
            <Action text={t.cancel} onClick={onClose} />
            <Action text={action} submit busy={isBusy} />
          </Group>
        </Stack>
      </Form>
    </Modal>
  )
}
