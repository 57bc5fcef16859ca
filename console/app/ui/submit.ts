import { type FormEvent, useState } from 'react'

type Run = (form: FormData) => Promise<void>

/** Runs what a form does, once at a time, and keeps the error that it ended with. */
export function useSubmit(run: Run) {
  const [error, setError] = useState<Error>()
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    setError(undefined)
    try {
      await run(form)
    } catch (thrown) {
      setError(thrown as Error)
    } finally {
      setBusy(false)
    }
  }

  return { error, isBusy, submit }
}

/** The text of a field, without white space around it. */
export function readText(form: FormData, name: string): string {
  return `${form.get(name) ?? ''}`.trim()
}
