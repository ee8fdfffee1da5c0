// Whatever goes wrong with a request, in the service's one shape.

export interface Problem {
  place: string
  message: string
}

export class ApiError extends Error {
  constructor(
    readonly kind: string,
    message: string,
    readonly status: number,
    readonly detail: readonly Problem[] = [],
  ) {
    super(message)
    this.name = 'ApiError'
  }
}

/** The error that an answer without success states. */
export async function errorOf(response: Response): Promise<ApiError> {
  const { status } = response
  try {
    const { error } = (await response.json()) as { error: ApiError }
    return new ApiError(error.kind, error.message, status, error.detail ?? [])
  } catch {
    return new ApiError('HttpError', `${status} ${response.statusText}`.trim(), status)
  }
}

/** Anything thrown as an ApiError; a request that never arrived has the status 0. */
export function asApiError(thrown: unknown, unreachable: string): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof TypeError) return new ApiError('NetworkError', unreachable, 0)
  return new ApiError('PageError', thrown instanceof Error ? thrown.message : String(thrown), 0)
}

export function wasAborted(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'AbortError'
}
