/** Fields that results of analyses share. */
import Type from 'typebox';
import { Fraction, Milliseconds, Nullable, Strict, Timestamp } from './schemas.ts';

export const Confidence = Nullable(Fraction('Confidence of the engine'));
export const span = { start_ms: Milliseconds('Start'), end_ms: Milliseconds('End') };

/** A box in the displayed picture: 0 is left and top, 1 is right and bottom. */
export const Box = Strict(
  {
    x: Fraction('Left edge'),
    y: Fraction('Upper edge'),
    width: Fraction('Width'),
    height: Fraction('Height'),
  },
  { $id: 'Box' },
);

export const FramingSource = Type.Enum(['center_of_interest', 'face', 'motion', 'picture'], {
  description: 'Reason for the framing; picture: the middle of the picture',
});

export const assetId = '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11';
export const english = '8993a0fb-016d-5a01-81d7-1cebafdf70d7';
export const dates = { created_at: '2026-11-21T09:32:00.000Z', updated_at: '2026-11-21T09:32:00.000Z' };
export const dateFields = {
  created_at: Timestamp('When it was created'),
  updated_at: Timestamp('When it changed last'),
};
