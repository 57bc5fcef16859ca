import type { ComponentProps } from 'react'

type Props = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  /** Called with what the fields hold; `reset` makes them what they were at first. */
  readonly onSubmit: (fields: FormData, reset: () => void) => void
}

/** A form that the page itself sends. */
export function Form({ onSubmit, ...rest }: Props) {
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        onSubmit(new FormData(form), () => form.reset())
      }}
    />
  )
}
