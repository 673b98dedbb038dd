//! Whether the arguments of a call fit a format.

use super::{Conversions, Defect, Dialect, Field, MOST_CHARACTERS, MOST_CUDA_ARGUMENTS, shown};
use crate::value::Scalar;

/// What a conversion takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// An integer of so many bits: smaller ones are passed as `int`.
    Integer(u32),
    /// A `double`; in OpenCL C a `float` where the device has no doubles.
    Float,
    Pointer,
    /// A pointer to text that ends with a zero.
    Text,
    Vector {
        count: usize,
        bits: u32,
        is_float: bool,
    },
}

impl Wanted {
    /// Whether an argument of this flattened type is one.
    fn takes(self, shape: &[Scalar], dialect: Dialect) -> bool {
        match (self, shape) {
            // Front ends other than C's may pass less than an `int`.
            (Wanted::Integer(32), [Scalar::Integer(bits)]) => *bits <= 32,
            (Wanted::Integer(wanted), [Scalar::Integer(bits)]) => *bits == wanted,
            (Wanted::Float, [Scalar::Double]) | (Wanted::Pointer | Wanted::Text, [Scalar::Pointer(_)]) => true,
            (Wanted::Float, [Scalar::Float]) => dialect == Dialect::OpenCl,
            (Wanted::Vector { count, bits, is_float }, elements) => {
                // A vector of three is passed as one of four by some.
                let has_count = elements.len() == count || count == 3 && elements.len() == 4;
                has_count && elements.iter().all(|element| element.bits() == bits && element.is_float() == is_float)
            }
            _ => false,
        }
    }

    /// In words.
    fn words(self) -> String {
        match self {
            Wanted::Integer(bits) => format!("an integer of {bits} bits"),
            Wanted::Float => "a floating-point number of 64 bits".to_owned(),
            Wanted::Pointer => "a pointer".to_owned(),
            Wanted::Text => "a pointer to text".to_owned(),
            Wanted::Vector { count, bits, is_float } => {
                let what = if is_float { "floating-point numbers" } else { "integers" };
                format!("a vector of {count} {what} of {bits} bits")
            }
        }
    }

    /// How many bytes it takes in the list of `vprintf`, which are its alignment, too.
    fn bytes(self) -> u64 {
        match self {
            Wanted::Integer(bits) => u64::from(bits / 8),
            Wanted::Float | Wanted::Pointer | Wanted::Text => 8,
            Wanted::Vector { count, bits, .. } => count as u64 * u64::from(bits / 8),
        }
    }
}

/// A flattened type, in words.
fn type_words(shape: &[Scalar]) -> String {
    let one = |scalar: &Scalar| match scalar {
        Scalar::Integer(bits) => ("integer", "an", *bits),
        Scalar::Pointer(_) => ("pointer", "a", 0),
        Scalar::Token => ("token", "a", 0),
        _ => ("floating-point number", "a", scalar.bits()),
    };
    let Some(first) = shape.first() else { return "nothing".to_owned() };
    let (noun, article, bits) = one(first);
    let of_bits = if bits > 0 { format!(" of {bits} bits") } else { String::new() };
    match shape {
        [_] => format!("{article} {noun}{of_bits}"),
        _ if shape.iter().all(|scalar| scalar == first) => format!("{} {noun}s{of_bits}", shape.len()),
        _ => "a struct".to_owned(),
    }
}

/// What a call looks like after its format is read.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) defects: Vec<Defect>,
    /// The numbers of the arguments that are text, from 0, and their conversions.
    pub(crate) texts: Vec<(usize, String)>,
    /// The numbers of the arguments that are widths or precisions, and their conversions.
    pub(crate) fields: Vec<(usize, String)>,
}

/// So many defects are told of one call.
const MOST_DEFECTS: usize = 8;

impl Reading {
    fn add(&mut self, defect: Defect) {
        if self.defects.len() < MOST_DEFECTS {
            self.defects.push(defect);
        }
    }
}

/// A width or precision that is more than an implementation has to print.
pub(crate) fn wide(text: &str, value: u64) -> Defect {
    let message = format!(
        "`{text}` asks for {value} characters, and an implementation need not print more than {MOST_CHARACTERS}"
    );
    Defect::warning(message, "ask for fewer")
}

/// What is wrong with a call with arguments of these flattened types, and which of them are text; O(format), and memory for arguments that
/// are there only.
pub(crate) fn call_defects(format: &[u8], arguments: &[&[Scalar]], dialect: Dialect) -> Reading {
    let mut reading = Reading::default();
    // The number of the next argument.
    let mut next = 0;
    let mut missing: Option<String> = None;
    let mut whole = true;
    for conversion in Conversions::new(format, dialect) {
        let conversion = match conversion {
            Ok(conversion) => conversion,
            Err(defect) => {
                reading.add(defect);
                whole = false;
                break;
            }
        };
        let text = || shown(conversion.text);
        for field in [conversion.width, conversion.precision] {
            match field {
                Field::Number(value) if value > MOST_CHARACTERS => reading.add(wide(&text(), value)),
                Field::Argument if dialect == Dialect::OpenCl => {
                    let message = format!("`{}` has a `*`, which printf does not have in OpenCL C", text());
                    reading.add(Defect::error(message, "write the width as a number"));
                }
                _ => {}
            }
        }
        conversion.defect.into_iter().for_each(|defect| reading.add(defect));
        let fields = [conversion.width, conversion.precision];
        let stars = fields.into_iter().filter(|field| *field == Field::Argument).map(|_| None);
        for wanted in stars.chain(conversion.wanted.map(Some)) {
            match arguments.get(next) {
                None => {
                    missing.get_or_insert_with(text);
                }
                Some(shape) if !wanted.unwrap_or(Wanted::Integer(32)).takes(shape, dialect) => {
                    let takes = match wanted {
                        Some(wanted) => format!("takes {}", wanted.words()),
                        None => "takes an integer of 32 bits for `*`".to_owned(),
                    };
                    let (number, found) = (next + 1, type_words(shape));
                    let message = format!("`{}` {takes}, and argument {number} is {found}", text());
                    reading.add(Defect::error(message, "use the conversion of the argument's type, or convert it"));
                }
                Some(_) if wanted == Some(Wanted::Text) => reading.texts.push((next, text())),
                Some(_) if wanted.is_none() => reading.fields.push((next, text())),
                Some(_) => {}
            }
            next += 1;
        }
    }
    let passed = arguments.len();
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    if let Some(text) = missing {
        let message = format!(
            "`{text}` has no argument: the format takes {next} argument{}, and the call passes {passed}",
            plural(next)
        );
        reading.add(Defect::error(message, "pass an argument for each conversion"));
    } else if whole && next < passed {
        let message = format!(
            "the call passes {passed} argument{}, and the format takes {next}: the others are ignored",
            plural(passed)
        );
        reading.add(Defect::warning(message, "add conversions, or leave arguments out"));
    }
    if dialect == Dialect::Cuda && passed > MOST_CUDA_ARGUMENTS {
        let message =
            format!("the call passes {passed} arguments, and printf takes at most {MOST_CUDA_ARGUMENTS} in CUDA");
        reading.add(Defect::warning(message, "print in several calls"));
    }
    reading
}

/// The arguments of `vprintf`, which lie in memory as the members of a struct.
#[derive(Debug, Default)]
pub(crate) struct List {
    /// What is wrong with the format itself.
    pub(crate) defects: Vec<Defect>,
    /// How many there are.
    pub(crate) count: usize,
    /// How many bytes they take.
    pub(crate) bytes: u64,
    /// The alignment of all of them.
    pub(crate) alignment: u64,
    /// Where pointers to text are, and their conversions; the first [`MOST_CUDA_ARGUMENTS`].
    pub(crate) texts: Vec<(u64, String)>,
    /// Whether the format was read to its end.
    pub(crate) whole: bool,
}

/// Where the arguments of `vprintf` are by this format; O(format).
pub(crate) fn list_layout(format: &[u8]) -> List {
    let mut reading = Reading::default();
    let mut list = List { alignment: 1, whole: true, ..List::default() };
    for conversion in Conversions::new(format, Dialect::Cuda) {
        let conversion = match conversion {
            Ok(conversion) => conversion,
            Err(defect) => {
                reading.add(defect);
                list.whole = false;
                break;
            }
        };
        let fields = [conversion.width, conversion.precision];
        for field in fields {
            if let Field::Number(value) = field
                && value > MOST_CHARACTERS
            {
                reading.add(wide(&shown(conversion.text), value));
            }
        }
        conversion.defect.into_iter().for_each(|defect| reading.add(defect));
        let stars = fields.into_iter().filter(|field| *field == Field::Argument).map(|_| Wanted::Integer(32));
        for wanted in stars.chain(conversion.wanted) {
            let bytes = wanted.bytes();
            let start = list.bytes.next_multiple_of(bytes);
            if wanted == Wanted::Text && list.texts.len() < MOST_CUDA_ARGUMENTS {
                list.texts.push((start, shown(conversion.text)));
            }
            list.bytes = start + bytes;
            list.alignment = list.alignment.max(bytes);
            list.count += 1;
        }
    }
    if list.count > MOST_CUDA_ARGUMENTS {
        let count = list.count;
        let message =
            format!("the format takes {count} arguments, and printf takes at most {MOST_CUDA_ARGUMENTS} in CUDA");
        reading.add(Defect::warning(message, "print in several calls"));
    }
    list.defects = reading.defects;
    list
}
