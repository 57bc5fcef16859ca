import { Button, Group, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Trouble } from './trouble.tsx'

type Props = {
  readonly opened: boolean
  readonly title: string
  /** The text of the button that confirms. */
  readonly action: string
  readonly isBusy: boolean
  readonly error: Error | null
  readonly onConfirm: () => void
  readonly onCancel: () => void
  /** A description of the loss. */
  readonly children: ReactNode
}

/** A dialog before a change that cannot be undone; the button with the first focus cancels. */
export function Confirm(props: Props) {
  const { opened, title, action, isBusy, error, onConfirm, onCancel, children } = props
  return (
    <Modal opened={opened} onClose={onCancel} title={title} centered withCloseButton={false}>
      <Text size="sm">{children}</Text>
      {error !== null && <Trouble error={error} />}
      <Group justify="end" mt="md">
        <Button variant="default" size="xs" data-autofocus onClick={onCancel}>
          Cancel
        </Button>
        <Button color="red" size="xs" loading={isBusy} onClick={onConfirm}>
          {action}
        </Button>
      </Group>
    </Modal>
  )
}
