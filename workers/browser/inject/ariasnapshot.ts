import type { AriaSnapshotOptions, Reply, Target } from './api';
import { Call } from './call';

export function ariaSnapshot(target: Target, options: AriaSnapshotOptions): Promise<Reply<string>> {
  return Call.run(options, call => call.withElement(target, undefined, () => ({ value: '' })));
}
