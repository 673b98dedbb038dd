//! Vectors: lanes taken out, put in, put together.

use smallvec::SmallVec;

use super::function::{FunctionText, result};
use super::writer::{Of, Operand};
use crate::typed::{Expression, Type};

impl FunctionText<'_> {
    /// Some lanes of a vector; one lane is a scalar.
    pub(super) fn pick_lanes(&mut self, vector: Operand, of: Type, lanes: &[u8]) -> Operand {
        if let &[lane] = lanes {
            return result!(self, "extractelement ", Of(of), " ", vector, ", i64 ", u32::from(lane));
        }
        let mask: SmallVec<[Option<u32>; 16]> = lanes.iter().map(|&lane| Some(u32::from(lane))).collect();
        self.shuffle(of, vector, Operand::Poison, &mask)
    }

    /// A vector with other values in some lanes.
    pub(super) fn put_lanes(&mut self, vector: Operand, of: Type, lanes: &[u8], value: Operand) -> Operand {
        let element = self.element_of(of);
        if let &[lane] = lanes {
            return result!(
                self,
                "insertelement ",
                Of(of),
                " ",
                vector,
                ", ",
                Of(element),
                " ",
                value,
                ", i64 ",
                u32::from(lane)
            );
        }
        let width = self.lanes_of(of);
        let count = lanes.len() as u32;
        let wide = self.widen(element, count, value, width, 0);
        // The last one wins where a lane is named twice.
        let source = |lane: u32| lanes.iter().rposition(|&named| u32::from(named) == lane);
        let mask: SmallVec<[Option<u32>; 16]> =
            (0..width).map(|lane| Some(source(lane).map_or(lane, |from| width + from as u32))).collect();
        self.shuffle(of, vector, wide, &mask)
    }

    /// A vector of `count` lanes as one of `width`, that begin with lane `start` there; the others are anything.
    fn widen(&mut self, element: Type, count: u32, value: Operand, width: u32, start: u32) -> Operand {
        if count == width && start == 0 {
            return value;
        }
        let mask: SmallVec<[Option<u32>; 16]> =
            (0..width).map(|lane| lane.checked_sub(start).filter(|&from| from < count)).collect();
        let result = self.define();
        self.put("shufflevector <");
        self.put(count);
        self.put(" x ");
        self.put(Of(element));
        self.put("> ");
        self.put(value);
        self.put(", <");
        self.put(count);
        self.put(" x ");
        self.put(Of(element));
        self.put("> poison, ");
        self.mask(&mask);
        self.end();
        result
    }

    fn shuffle(&mut self, of: Type, first: Operand, second: Operand, mask: &[Option<u32>]) -> Operand {
        let result = self.define();
        self.put("shufflevector ");
        self.put(Of(of));
        self.put(" ");
        self.put(first);
        self.put(", ");
        self.put(Of(of));
        self.put(" ");
        self.put(second);
        self.put(", ");
        self.mask(mask);
        self.end();
        result
    }

    /// The lanes that a shuffle takes; none for anything.
    fn mask(&mut self, mask: &[Option<u32>]) {
        self.put("<");
        self.put(mask.len() as u32);
        self.put(" x i32> <");
        for (index, lane) in mask.iter().enumerate() {
            self.put(if index == 0 { "i32 " } else { ", i32 " });
            match *lane {
                Some(lane) => self.put(lane),
                None => self.put("poison"),
            }
        }
        self.put(">");
    }

    /// A vector with the same value in each lane.
    pub(super) fn splat(&mut self, of: Type, value: Operand) -> Operand {
        let element = self.element_of(of);
        let width = self.lanes_of(of);
        let first = result!(self, "insertelement ", Of(of), " poison, ", Of(element), " ", value, ", i64 0");
        result!(
            self,
            "shufflevector ",
            Of(of),
            " ",
            first,
            ", ",
            Of(of),
            " poison, <",
            width,
            " x i32> zeroinitializer"
        )
    }

    /// A vector of the lanes of its parts.
    pub(super) fn vector_of(&mut self, of: Type, parts: &[Expression]) -> Operand {
        let (element, width) = (self.element_of(of), self.lanes_of(of));
        let (mut whole, mut filled) = (Operand::Poison, 0);
        for &part in parts {
            let part_type = self.body.expressions[part].of;
            let value = self.value(part);
            if !self.is_vector(part_type) {
                whole = result!(
                    self,
                    "insertelement ",
                    Of(of),
                    " ",
                    whole,
                    ", ",
                    Of(element),
                    " ",
                    value,
                    ", i64 ",
                    filled
                );
                filled += 1;
                continue;
            }
            let count = self.lanes_of(part_type);
            let wide = self.widen(element, count, value, width, filled);
            whole = if filled == 0 {
                wide
            } else {
                let from = |lane: u32| if (filled..filled + count).contains(&lane) { width + lane } else { lane };
                let mask: SmallVec<[Option<u32>; 16]> = (0..width).map(|lane| Some(from(lane))).collect();
                self.shuffle(of, whole, wide, &mask)
            };
            filled += count;
        }
        whole
    }
}
